#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <splatwright/core/image.h>
#include <splatwright/view/world_view.h>

namespace splat::app {

/// A picture behind the splats. It covers the view, whatever its shape.
class Backdrop {
public:
    explicit Backdrop(gpu::Device& device) : device_(device) {}

    /// Throws InputError for a file that is no image.
    void load(const std::filesystem::path& file);
    void remove();
    const std::string& name() const { return name_; }  ///< of the file; empty: there is none
    /// Increases with load() and remove().
    uint64_t revision() const { return revision_; }

    /// Gives it to a view whose pictures have this size. Waits for frames that still read the one before.
    void fit(glm::uvec2 size, WorldView& pictures);

private:
    gpu::Device& device_;
    Image8 image_;
    std::string name_;
    uint64_t revision_ = 0, fitted_ = 0;
    glm::uvec2 size_{0};
    gpu::Buffer pixels_;
};

/// The middle of an image, as large as fits, in these proportions.
Image8 middleOf(const Image8& image, int width, int height);

}  // namespace splat::app
