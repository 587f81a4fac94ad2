#include <splatwright/scene/datasets/image_paths.h>

#include <algorithm>
#include <array>
#include <cctype>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLongestPath = 4096;  // bytes; Linux's PATH_MAX
constexpr size_t kLongestShown = 160;  // bytes of a name in a message

fs::path normalAbsolute(const fs::path& folder) { return fs::absolute(folder.empty() ? "." : folder / "").lexically_normal(); }

bool isBelow(const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_relative(normalAbsolute(folder));
    return !relative.empty() && *relative.begin() != "..";
}

bool isInside(const std::string& path, const fs::path& folder, const PathBounds& bounds) {
    // A Windows drive, such as "C:/", where there are none.
    const bool drive = path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 && path[1] == ':' && path[2] == '/';
    if (drive && !fs::path(path).is_absolute()) return false;
    const fs::path whole = (normalAbsolute(folder) / path).lexically_normal();
    return isBelow(whole, bounds.dataset) || (!bounds.images.empty() && isBelow(whole, bounds.images));
}

}  // namespace

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

fs::path checkedPath(const std::string& what, const std::string& name, const fs::path& folder, const PathBounds& bounds) {
    const std::string shown = shortened(escapedName(name), kLongestShown);
    if (name.find('\0') != std::string::npos) throw InputError("{} is '{}', which contains a zero byte, expected a path", what, shown);
    if (name.size() > kLongestPath)
        throw InputError("{} is '{}', of {} bytes, expected a path of at most {}", what, shown, name.size(), kLongestPath);
    std::string slashed = name;
    std::ranges::replace(slashed, '\\', '/');
    if (!bounds.allowOutside && !isInside(slashed, folder, bounds)) {
        throw InputError("{} is '{}', which is outside {}, expected a path inside (`allowOutside` permits others)", what, shown,
                         bounds.dataset.string());
    }
    return fs::path(slashed).lexically_normal();
}

std::string nameBelow(const fs::path& folder, const fs::path& file) {
    const fs::path relative = (normalAbsolute(folder) / file).lexically_normal().lexically_relative(normalAbsolute(folder));
    return safeName(relative.empty() ? file : relative);
}

}  // namespace splat
