#pragma once

#include <functional>
#include <string>
#include <vector>

#include <splatwright/core/image.h>
#include <splatwright/scene/datasets/dataset.h>

namespace splat {

/// Meaning of a training image's fourth channel.
enum class Coverage : uint8_t {
    none,
    alpha,  ///< opacity; colours are not premultiplied
    mask,   ///< weight in the loss: 0 ignores the pixel
};

/// Inverse depths (1 / camera z) of an image's pixels: value * scale + shift, at least 0.
struct DepthMap {
    Image16 values{};  ///< 1 channel; 0: unknown. Empty: all are unknown
    double scale = 0;
    double shift = 0;
};

/// A training or test image: undistorted, downscaled, 8-bit RGB. Transparent images are composited over the background unless they keep their
/// alpha.
struct Photograph {
    std::string name;
    Camera camera;      ///< pinhole camera of these pixels
    Image8 image;       ///< 3 channels
    Image8 coverage{};  ///< 1 channel; empty: 255 everywhere
    Coverage covers = Coverage::none;
    DepthMap depth{};
};

struct PhotographOptions {
    int downscale = 1;                           ///< 1, 2, 4 or 8; 0: the smallest of these at which the longer side is at most 1600 pixels
    glm::vec3 background{0, 0, 0};               ///< 0..1, behind transparent pixels
    bool keepAlpha = false;                      ///< keep alpha for composited() or the loss; ignored if the dataset has masks
    bool masks = true;                           ///< use the dataset's masks, if any
    bool depths = false;                         ///< read the dataset's depth maps; their scale and shift stay 0
    uint32_t megapixels = kDefaultMegapixels;    ///< larger files are refused, by their header
    uint64_t loadingBytes = uint64_t{2} << 30u;  ///< memory budget of all loading threads; an image that needs more is loaded alone
};

/// Loads the chosen views on all cores. Calls progress(done, total) from any thread, one call at a time: after each view, and while views are
/// decoded, with the number as before. What it throws ends loading and is thrown on.
std::vector<Photograph> loadPhotographs(const Dataset& dataset, const std::vector<size_t>& views, const PhotographOptions& options,
                                        const std::function<void(size_t, size_t)>& progress = {});

/// The image with sides shorter by a factor, as loading downscales it, and its camera.
Photograph downscaled(const Photograph& photograph, int factor);

/// The image composited over the background.
Image8 composited(const Photograph& photograph, glm::vec3 background);

/// Blends the image into a render where its mask ignores pixels, in proportion to the mask.
Image8 masked(Image8 render, const Photograph& photograph);

}  // namespace splat
