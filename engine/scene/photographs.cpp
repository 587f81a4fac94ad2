#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/error.h"
#include "core/threads.h"
#include "scene/area_filter.h"
#include "scene/dataset.h"
#include "scene/image_file.h"
#include "scene/undistort.h"

namespace splat {
namespace {

// Pixels stay on the 0..255 scale as floats until they are rounded once at the end, so that sums of 8-bit values are exact.

/// A stored image may be a rescaled copy of what the camera describes, each side rounded to whole pixels.
Camera cameraOfStored(const View& view, const Image8& image) {
    const Camera& camera = view.camera;
    const double heightFromWidth = static_cast<double>(camera.height) * image.width / camera.width;
    const double widthFromHeight = static_cast<double>(camera.width) * image.height / camera.height;
    if (std::abs(heightFromWidth - image.height) > 1 && std::abs(widthFromHeight - image.width) > 1) {
        throw InputError("{}: size is {}x{}, expected that of its camera, {}x{}, or a multiple or fraction of it", view.image.string(),
                         image.width, image.height, camera.width, camera.height);
    }
    return resized(camera, image.width, image.height);
}

/// RGB from 3 channels as they are, or from 4 over the background, in the file's own encoding as the reference trainers do.
ImageF composite(const Image8& image, glm::vec3 background) {
    ImageF rgb(image.width, image.height, 3);
    const auto channels = static_cast<size_t>(image.channels);
    for (size_t i = 0; i < rgb.pixels.size() / 3; ++i) {
        const uint8_t* pixel = &image.pixels[i * channels];
        const float alpha = channels == 4 ? static_cast<float>(pixel[3]) / 255 : 1.0f;
        for (size_t c = 0; c < 3; ++c) {
            const float behind = 255 * background[static_cast<int>(c)];
            rgb.pixels[i * 3 + c] = alpha * static_cast<float>(pixel[c]) + (1 - alpha) * behind;
        }
    }
    return rgb;
}

Image8 rounded(const ImageF& image) {
    Image8 bytes(image.width, image.height, image.channels);
    std::ranges::transform(image.pixels, bytes.pixels.begin(),
                           [](float value) { return static_cast<uint8_t>(std::clamp(std::floor(value + 0.5f), 0.0f, 255.0f)); });
    return bytes;
}

int chooseDownscale(const Camera& camera, int wanted) {
    constexpr int kLongestSide = 1600;  // pixels, as the reference trainer's automatic choice
    if (wanted > 0) return wanted;
    int factor = 1;
    while (factor < 8 && std::max(camera.width, camera.height) > kLongestSide * factor) factor *= 2;
    return factor;
}

Camera downscaled(const Camera& camera, int factor) {
    const auto shrink = [&](int size) { return std::max(1, static_cast<int>(std::lround(static_cast<double>(size) / factor))); };
    return resized(camera, shrink(camera.width), shrink(camera.height));
}

Camera straighten(const View& view, const Camera& camera) {
    try {
        return undistortedCamera(camera, view.distortion);
    } catch (const InputError& problem) {
        throw InputError("{}: {}", view.image.string(), problem.what());
    }
}

Photograph loadPhotograph(const View& view, const PhotographOptions& options) {
    Image8 stored = readImage(view.image);
    const Camera camera = cameraOfStored(view, stored);
    const Camera straight = straighten(view, camera);
    const Camera final = downscaled(straight, chooseDownscale(straight, options.downscale));
    const bool sameSize = final.width == straight.width && final.height == straight.height;
    if (stored.channels == 3 && !view.distortion.any() && sameSize) return {view.name, final, std::move(stored)};

    ImageF image = composite(stored, options.background);
    if (view.distortion.any()) image = undistortImage(image, camera, view.distortion, straight);
    if (!sameSize) image = areaFilter(image, final.width, final.height);
    return {view.name, final, rounded(image)};
}

}  // namespace

std::vector<Photograph> loadPhotographs(const Dataset& dataset, const std::vector<size_t>& views, const PhotographOptions& options,
                                        const std::function<void(size_t, size_t)>& progress) {
    CHECK(options.downscale >= 0, "{}", options.downscale);
    std::vector<Photograph> photographs(views.size());
    std::mutex progressMutex;
    size_t done = 0;
    parallelFor(views.size(), [&](size_t i) {
        photographs[i] = loadPhotograph(dataset.views.at(views[i]), options);
        const std::scoped_lock lock(progressMutex);
        ++done;
        if (progress) progress(done, views.size());
    });
    return photographs;
}

}  // namespace splat
