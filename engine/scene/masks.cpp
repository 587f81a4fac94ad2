#include <splatwright/scene/masks.h>

#include <algorithm>

#include <splatwright/core/error.h>

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

ImageHeader readMaskHeader(const fs::path& path, ImageSize photograph) {
    const ImageHeader header = readImageHeader(path);
    if (header.size == photograph) return header;
    throw InputError("{}: size is {}x{}, expected that of its photograph, {}x{}", path.string(), header.size.width, header.size.height,
                     photograph.width, photograph.height);
}

Image8 readMask(const fs::path& path, const ImageHeader& header) {
    const auto channels = static_cast<size_t>(header.channels);
    Image8 colours(header.size.width, header.size.height, 1);
    // Alpha is kept separately until a transparent pixel shows that it is the mask.
    Image8 alphas = channels == 4 ? colours : Image8();
    bool transparent = false;
    readImageRows(path, header, [&](int y, std::span<const uint8_t> row) {
        for (int x = 0; x < header.size.width; ++x) {
            const uint8_t* pixel = &row[static_cast<size_t>(x) * channels];
            colours.at(x, y)[0] = pixel[0];
            if (channels < 4) continue;
            alphas.at(x, y)[0] = pixel[3];
            transparent = transparent || pixel[3] < 255;
        }
    });
    return transparent ? std::move(alphas) : std::move(colours);
}

}  // namespace splat
