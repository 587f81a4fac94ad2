#pragma once

#include <splatwright/train/model/optimizer.h>

namespace splat {

/// The kernel with the moments' buffers of a picture's blobs (render/kinds/blobs.h).
template <class Kernel>
Kernel withBlobMoments(Kernel kernel, const AdamMoments& moments) {
    kernel.centresMoments = moments[Attribute::means];
    kernel.shapesMoments = moments[Attribute::logScales];
    kernel.blobColoursMoments = moments[Attribute::sh0];
    kernel.opacitiesMoments = moments[Attribute::logitOpacities];
    return kernel;
}

}  // namespace splat
