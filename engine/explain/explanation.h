#pragma once

#include <string>

#include <splatwright/core/image.h>
#include <splatwright/explain/pixel_look.h>
#include <splatwright/explain/tile_backward.h>
#include <splatwright/explain/weighted_draw.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat::explain {

/// The backward pass of the tile, by the photometric loss of the picture and its photograph.
struct BackwardExplanation {
    std::vector<glm::vec3> colourGradients;  ///< of the tile's pixels, in the order of threads
    std::vector<float> weights, sums;        ///< as of TileBackward
    std::vector<TreeTrace> trees;            ///< of the splats that the pixel shows most
    std::vector<MethodTrace> methods;
    std::vector<RetryTrace> retries;
    LaneCounts lanes;
};

/// All that was done for one pixel and its tile.
struct Explanation {
    std::string view, device;
    ImageF picture{};  ///< of the whole view
    glm::vec3 background{0};
    uint32_t instances = 0;                        ///< of all tiles
    std::vector<shared::EmittedInstance> emitted;  ///< as of TileFrame
    PixelLook look;
    BackwardExplanation backward;
    WeightedDraw draw;
};

/// Draws and differentiates the photograph's view, and reads back what happened to a pixel of it. Throws InputError as TileFrame does.
Explanation explain(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model, Photograph photograph,
                    glm::uvec2 pixel);

}  // namespace splat::explain
