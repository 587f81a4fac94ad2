#pragma once

#include <optional>

#include "gpu/painting.h"
#include "view/world_view.h"
#include "viewer/training.h"

namespace splat::app {

/// The photograph of the view that is shown, in the picture's size.
class Comparison {
public:
    explicit Comparison(gpu::Device& device) : device_(device) {}

    /// Makes sure that it is this view's, in this size (view: none for no photograph); waits for pictures with another before that one goes.
    void fit(Training* training, std::optional<size_t> view, glm::uvec2 size, WorldView& pictures);
    std::optional<ComparisonPhotograph> photograph() const;
    const gpu::Texture* texture() const { return pixels_ ? &texture_ : nullptr; }

private:
    gpu::Device& device_;
    std::optional<size_t> view_;
    glm::uvec2 size_{0};
    gpu::Buffer pixels_;
    gpu::Texture texture_;
};

/// The image in another size: the mean over areas where it shrinks, bilinear where it grows.
Image8 resampled(const Image8& image, int width, int height);

}  // namespace splat::app
