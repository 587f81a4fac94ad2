#include <splatwright/scene/datasets/companions.h>

#include <splatwright/core/error.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// In a folder of this name in the dataset, or beside the folder of its images.
fs::path findCompanion(const Dataset& dataset, const View& view, std::string_view name) {
    fs::path images = view.image;
    for (const fs::path& part : fs::path(view.file)) {
        if (!part.empty()) images = images.parent_path();
    }
    std::vector<fs::path> folders{dataset.path / name};
    if (images != dataset.path) folders.push_back(images.parent_path() / name);
    for (const fs::path& folder : folders) {
        const fs::path beside = folder / view.file;
        for (const fs::path& candidate : {fs::path(beside.string() + ".png"), fs::path(beside).replace_extension(".png")}) {
            if (isFile(candidate)) return candidate;
        }
    }
    return {};
}

}  // namespace

std::vector<fs::path> findCompanions(const Dataset& dataset, const std::vector<size_t>& views, std::string_view folder) {
    std::vector<fs::path> found;
    for (const size_t view : views) found.push_back(findCompanion(dataset, dataset.views.at(view), folder));
    return found;
}

ImageHeader readCompanionHeader(const fs::path& path, ImageSize photograph) {
    const ImageHeader header = readImageHeader(path);
    if (header.size == photograph) return header;
    throw InputError("{}: size is {}x{}, expected that of its photograph, {}x{}", path.string(), header.size.width, header.size.height,
                     photograph.width, photograph.height);
}

}  // namespace splat
