#include "scene/datasets/image_paths.h"

#include <array>

#include "core/input_file.h"

namespace splat {

namespace fs = std::filesystem;

fs::path findImage(const fs::path& wanted) {
    std::error_code ignored;
    if (mayExist(wanted) && !fs::is_directory(wanted, ignored)) return wanted;
    constexpr std::array kEndings{".png", ".jpg", ".jpeg", ".webp", ".PNG", ".JPG", ".JPEG", ".WEBP"};
    for (const char* ending : kEndings) {
        if (const fs::path added = wanted.string() + ending; fs::is_regular_file(added, ignored)) return added;
    }
    for (const char* ending : kEndings) {
        if (fs::path replaced = wanted; fs::is_regular_file(replaced.replace_extension(ending), ignored)) return replaced;
    }
    return wanted;
}

fs::path otherImageFolder(const fs::path& dataset, const fs::path& images) {
    std::error_code ignored;
    const fs::path below = dataset / images;
    return fs::is_directory(below, ignored) ? below : images;
}

std::string safeName(const fs::path& path) {
    fs::path safe;
    for (const fs::path& part : path.relative_path()) {
        if (part != "." && part != "..") safe /= part;
    }
    return safe.generic_string();
}

}  // namespace splat
