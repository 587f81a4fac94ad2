#include <splatwright/prepare/photographs.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/core/threads.h>
#include <splatwright/prepare/endings.h>
#include <splatwright/scene/file_endings.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

bool isSkippedFolder(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with('.') || name == "masks" || name == "depths";
}

/// Datasets that were made before are not photographs again.
bool isPrepared(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path / ".prepare", ignored);
}

/// Regular files below a folder, sorted, as paths relative to it.
std::vector<fs::path> filesBelow(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    fs::recursive_directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        std::error_code ignored;
        if (entry->is_directory(ignored) && (isSkippedFolder(entry->path()) || isPrepared(entry->path())))
            entry.disable_recursion_pending();
        const bool hidden = entry->path().filename().string().starts_with('.');
        if (!hidden && entry->is_regular_file(ignored)) files.push_back(entry->path().lexically_relative(folder));
    }
    if (failed) throw InputError("{}: cannot be listed: {}", folder.string(), failed.message());
    std::ranges::sort(files);
    return files;
}

/// COLMAP reads lists of names, one per line without blanks around it, and takes backslashes for slashes.
bool isNameForColmap(const std::string& name) {
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\'; };
    return std::ranges::none_of(name, isControl) && name.front() != ' ' && name.back() != ' ' && name.front() != '#';
}

/// Why the photograph cannot be used; nothing if it can.
std::optional<std::string> faultOf(const fs::path& file, Photograph& photograph) {
    if (!isNameForColmap(photograph.name)) return "its name has control characters, a backslash or outer blanks";
    try {
        const ImageHeader header = readImageHeader(file, kDefaultMegapixels);
        readImageRows(file, header, [](int, std::span<const uint8_t>) {});
        photograph.size = header.size;
    } catch (const InputError& problem) {
        return problem.what();
    }
    return std::nullopt;
}

void decodeAll(PhotographFolder& folder, Observer& observer) {
    std::vector<std::optional<std::string>> faults(folder.photographs.size());
    std::mutex mutex;
    uint64_t done = 0;
    parallelFor(folder.photographs.size(), [&](size_t i) {
        faults[i] = faultOf(folder.images / folder.photographs[i].name, folder.photographs[i]);
        const std::scoped_lock lock(mutex);
        observer.check();
        observer.onProgress(++done);
    });
    std::vector<Photograph> usable;
    for (size_t i = 0; i < faults.size(); ++i) {
        if (faults[i]) {
            folder.leftOut.push_back({folder.photographs[i].name, *faults[i]});
        } else {
            usable.push_back(folder.photographs[i]);
        }
    }
    folder.photographs = std::move(usable);
}

/// How to convert files that other programs read; empty if there are none.
std::string conversionAdvice(const std::vector<fs::path>& files) {
    for (const Convertible& format : kConvertible) {
        const auto count = std::ranges::count_if(files, [&](const fs::path& file) { return hasEnding(file, format.endings); });
        if (count > 0) return fmt::format("; {} files are {}, convert them: {}", count, format.name, format.command);
    }
    return {};
}

std::string maskOf(const fs::path& masks, const std::string& name) {
    std::error_code ignored;
    for (const fs::path& file : {masks / (name + ".png"), (masks / name).replace_extension(".png")}) {
        if (fs::is_regular_file(file, ignored)) return file.string();
    }
    return {};
}

}  // namespace

PhotographFolder listPhotographs(const fs::path& given, Observer& observer) {
    PhotographFolder folder;
    std::error_code ignored;
    folder.images = fs::is_directory(given / "images", ignored) ? given / "images" : given;
    for (const fs::path& masks : {folder.images / "masks", fs::absolute(folder.images / "").parent_path().parent_path() / "masks"}) {
        if (folder.masks.empty() && fs::is_directory(masks, ignored)) folder.masks = masks;
    }
    const std::vector<fs::path> files = filesBelow(folder.images);
    for (const fs::path& file : files) {
        if (hasEnding(file, kPhotographEndings)) folder.photographs.push_back({file.string(), {}});
    }
    observer.onStage("photographs", folder.photographs.size());
    decodeAll(folder, observer);
    const size_t found = folder.photographs.size();
    if (found >= kFewestPhotographs) return folder;
    std::string why = conversionAdvice(files);
    for (size_t i = 0; i < std::min<size_t>(folder.leftOut.size(), 5); ++i) why += "\n  " + folder.leftOut[i].reason;
    throw InputError("{}: found {} usable photographs (JPEG, PNG or WebP), expected at least {}, better 30{}", given.string(), found,
                     kFewestPhotographs, why);
}

void requirePhotographs(const fs::path& path, size_t found) {
    if (found >= kFewestPhotographs) return;
    throw InputError("{}: found {} usable photographs, expected at least {}", path.string(), found, kFewestPhotographs);
}

std::vector<std::vector<std::string>> cameraGroups(const std::vector<Photograph>& photographs) {
    std::map<std::tuple<std::string, int, int>, std::vector<std::string>> groups;
    for (const auto& [name, size] : photographs) groups[{fs::path(name).parent_path().string(), size.width, size.height}].push_back(name);
    std::vector<std::vector<std::string>> names;
    for (auto& [key, group] : groups) names.push_back(std::move(group));
    return names;
}

void place(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    fs::create_directories(to.parent_path(), failed);
    fs::remove(to, failed);
    fs::create_hard_link(fs::canonical(from, failed), to, failed);
    if (!failed) return;
    fs::copy_file(from, to, failed);
    if (failed) throw Error("{}: cannot be written: {}", to.string(), failed.message());
}

void placePhotographs(const PhotographFolder& from, const fs::path& images, const fs::path& masks, Observer& observer) {
    for (const Photograph& photograph : from.photographs) {
        observer.check();
        place(from.images / photograph.name, images / photograph.name);
        if (from.masks.empty()) continue;
        const std::string mask = maskOf(from.masks, photograph.name);
        if (!mask.empty()) place(mask, masks / (photograph.name + ".png"));
    }
}

}  // namespace splat::prepare
