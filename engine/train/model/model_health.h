#pragma once

namespace splat {

/// Figures of a model that tell whether its training is healthy.
struct ModelHealth {
    double meanOpacity = 0;
    double deadShare = 0;    ///< of Gaussians up to `prune_opacity`, or with numbers that are not finite
    double fadingShare = 0;  ///< of Gaussians above it, but at most twice as opaque
    double largeShare = 0;   ///< of Gaussians whose largest scale exceeds the scene's extent
};

}  // namespace splat
