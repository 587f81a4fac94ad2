#pragma once

#include <optional>

#include <splatwright/gpu/painting.h>
#include <splatwright/view/world_view.h>
#include "viewer/scene/training.h"

namespace splat::app {

/// The image of the shown view of the dataset, in the picture's size.
class ViewImage {
public:
    explicit ViewImage(gpu::Device& device) : device_(device) {}

    /// Loads the view's image in this size (view: none to remove it). Waits for frames that still read the previous one.
    void fit(Training* training, std::optional<size_t> view, glm::uvec2 size, WorldView& pictures);
    std::optional<GroundTruth> groundTruth() const;
    const gpu::Texture* texture() const { return pixels_ ? &texture_ : nullptr; }

private:
    gpu::Device& device_;
    std::optional<size_t> view_;
    glm::uvec2 size_{0};
    gpu::Buffer pixels_;
    gpu::Texture texture_;
};

/// Resizes an image: area mean for smaller sizes, bilinear for larger ones.
Image8 resampled(const Image8& image, int width, int height);

}  // namespace splat::app
