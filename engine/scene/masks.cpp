#include "scene/masks.h"

#include <algorithm>

#include "core/error.h"
#include "scene/image_file.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// Folders that may hold the masks of a view.
std::vector<fs::path> maskFolders(const Dataset& dataset, const View& view) {
    fs::path images = view.image;
    for (const fs::path& part : fs::path(view.file)) {
        if (!part.empty()) images = images.parent_path();
    }
    std::vector<fs::path> folders{dataset.path / "masks"};
    if (images != dataset.path) folders.push_back(images.parent_path() / "masks");
    return folders;
}

fs::path findMask(const Dataset& dataset, const View& view) {
    for (const fs::path& folder : maskFolders(dataset, view)) {
        const fs::path beside = folder / view.file;
        for (const fs::path& candidate : {fs::path(beside.string() + ".png"), fs::path(beside).replace_extension(".png")}) {
            if (isFile(candidate)) return candidate;
        }
    }
    return {};
}

}  // namespace

std::vector<fs::path> findMasks(const Dataset& dataset, const std::vector<size_t>& views) {
    std::vector<fs::path> masks;
    for (const size_t view : views) masks.push_back(findMask(dataset, dataset.views.at(view)));
    return masks;
}

Image8 readMask(const fs::path& path, const Image8& photograph) {
    const Image8 file = readImage(path);
    if (file.width != photograph.width || file.height != photograph.height) {
        throw InputError("{}: size is {}x{}, expected that of its photograph, {}x{}", path.string(), file.width, file.height,
                         photograph.width, photograph.height);
    }
    Image8 mask(file.width, file.height, 1);
    const auto channels = static_cast<size_t>(file.channels);
    const auto channel = [&](size_t i, size_t c) { return file.pixels[i * channels + c]; };
    bool transparent = false;
    for (size_t i = 0; channels == 4 && i < mask.pixels.size(); ++i) transparent = transparent || channel(i, 3) < 255;
    for (size_t i = 0; i < mask.pixels.size(); ++i) mask.pixels[i] = channel(i, transparent ? 3 : 0);
    return mask;
}

}  // namespace splat
