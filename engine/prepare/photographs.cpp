#include <splatwright/prepare/photographs.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include <splatwright/core/byte_budget.h>
#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/core/threads.h>
#include <splatwright/prepare/content_hash.h>
#include <splatwright/prepare/endings.h>
#include <splatwright/prepare/own_files.h>
#include <splatwright/scene/files/file_endings.h>
#include <splatwright/scene/images/orientation.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kDecodingBytes = uint64_t{512} << 20u;  // of all threads together; a photograph that takes more is decoded alone
constexpr size_t kMostListed = 20;                         // photographs that an error names

/// Datasets that were made before are not photographs again.
bool isPrepared(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path / kWorkFolder, ignored);
}

/// Files below a folder, sorted, as paths relative to it.
std::vector<fs::path> filesBelow(const fs::path& folder, const IsSkipped& skips) {
    std::vector<fs::path> files;
    std::error_code failed;
    fs::recursive_directory_iterator entry(folder, failed);
    fs::path last = folder;
    for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        std::error_code ignored;
        last = entry->path();
        const bool isFolder = entry->is_directory(ignored), skipped = skips && skips(last);
        const std::string name = last.filename().string();
        const bool hidden = name.starts_with('.');
        if (isFolder && (skipped || hidden || name == "masks" || name == "depths" || isPrepared(last))) entry.disable_recursion_pending();
        if (!hidden && !isFolder && !skipped) files.push_back(last.lexically_relative(folder));
    }
    if (failed) throw InputError("{}: cannot be listed: {}", last.string(), failed.message());
    std::ranges::sort(files);
    return files;
}

/// Reads the header, the whole file, and its mask. Throws InputError if it cannot be used.
void decode(const PhotographFolder& folder, Photograph& photograph, ByteBudget& budget) {
    // COLMAP reads lists of names, one per line without blanks around it, and takes backslashes for slashes.
    const std::string& name = photograph.name;
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\'; };
    if (std::ranges::any_of(name, isControl) || name.front() == ' ' || name.back() == ' ' || name.front() == '#')
        throw InputError("its name has control characters, a backslash or outer blanks");
    const fs::path file = folder.images / photograph.file(), mask = maskOf(folder, photograph);
    const ImageHeader header = readImageHeader(file, kDefaultMegapixels);
    photograph.size = photograph.source.empty() ? header.size : shownSize(header.size, readOrientation(file));
    if (!photograph.source.empty()) photograph.name = photograph.source + (header.channels == 4 ? ".png" : ".jpg");
    photograph.content = hashOfFile(file) + (mask.empty() ? "" : hashOfFile(mask));
    const ByteBudget::Share share = budget.take(header.decoderBytes);
    readImageRows(file, header, [](int, std::span<const uint8_t>) {});
}

/// The whole picture, turned as it is shown.
void convert(const fs::path& from, const fs::path& to) {
    Image8 image = readImage(from);
    if (const Orientation orientation = readOrientation(from); orientation != Orientation::stored) {
        const ImageSize size = shownSize({image.width, image.height}, orientation);
        Image8 shown(size.width, size.height, image.channels);
        const size_t rowBytes = static_cast<size_t>(size.width) * static_cast<size_t>(image.channels);
        for (int y = 0; y < size.height; ++y)
            copyShownRow(image, orientation, y, std::span(shown.pixels).subspan(shown.index(0, y), rowBytes));
        image = std::move(shown);
    }
    std::error_code ignored;
    fs::create_directories(to.parent_path(), ignored);
    if (image.channels == 4)
        writePng(to, image);
    else
        writeJpeg(to, image, readShot(from));
    const auto time = fs::last_write_time(from, ignored);
    fs::last_write_time(to, time, ignored);
}

/// On all threads, as many at once as the memory is for.
void convertAll(const PhotographFolder& from, const fs::path& images, Observer& observer) {
    std::vector<const Photograph*> converted;
    for (const Photograph& photograph : from.photographs)
        if (!photograph.source.empty()) converted.push_back(&photograph);
    if (converted.empty()) return;
    observer.onStage("convert", converted.size());
    ByteBudget budget(kDecodingBytes);
    std::mutex mutex;
    uint64_t done = 0;
    parallelFor(converted.size(), [&](size_t i) {
        const Photograph& photograph = *converted[i];
        constexpr uint64_t kBytesPerPixel = 8;  // of the picture, turned, and as a file
        const auto pixels = static_cast<uint64_t>(photograph.size.width) * static_cast<uint64_t>(photograph.size.height);
        const ByteBudget::Share share = budget.take(kBytesPerPixel * pixels);
        convert(from.images / photograph.source, images / photograph.name);
        const std::scoped_lock lock(mutex);
        observer.check();
        observer.onProgress(++done);
    });
}

/// "\n  NAME: REASON" per photograph.
std::string listOf(const std::vector<LeftOut>& photographs) {
    std::string list;
    for (size_t i = 0; i < std::min(photographs.size(), kMostListed); ++i)
        list += fmt::format("\n  {}: {}", escapedName(photographs[i].name), photographs[i].reason);
    if (photographs.size() > kMostListed) list += fmt::format("\n  and {} more", photographs.size() - kMostListed);
    return list;
}

}  // namespace

fs::path maskOf(const PhotographFolder& folder, const Photograph& photograph) {
    std::error_code ignored;
    const std::string& name = photograph.file();
    if (folder.masks.empty()) return {};
    for (const fs::path& file : {folder.masks / (name + ".png"), (folder.masks / name).replace_extension(".png")}) {
        if (fs::is_regular_file(file, ignored)) return file;
    }
    return {};
}

PhotographFolder findPhotographs(const fs::path& given, const IsSkipped& skips) {
    PhotographFolder folder;
    const auto isInput = [&](const fs::path& path) {
        std::error_code ignored;
        return fs::is_directory(path, ignored) && !isPrepared(path) && !(skips && skips(path));
    };
    folder.images = isInput(given / "images") ? given / "images" : given;
    for (const fs::path& masks : {folder.images / "masks", fs::absolute(folder.images / "").parent_path().parent_path() / "masks"}) {
        if (folder.masks.empty() && isInput(masks)) folder.masks = masks;
    }
    const std::vector<fs::path> files = filesBelow(folder.images, skips);
    std::set<fs::path> stems;
    for (const fs::path& file : files) {
        if (!hasEnding(file, kPhotographEndings) || hasEnding(file, kConvertedEndings)) continue;
        folder.photographs.push_back({.name = file.generic_string()});
        stems.insert(fs::path(file).replace_extension());
    }
    // Cameras store both: a photograph is not converted if there is one that need not be.
    for (const fs::path& file : files) {
        if (hasEnding(file, kConvertedEndings) && !stems.contains(fs::path(file).replace_extension()))
            folder.photographs.push_back({.name = file.generic_string() + ".jpg", .source = file.generic_string()});
    }
    std::ranges::sort(folder.photographs, {}, [](const Photograph& photograph) { return fs::path(photograph.name); });
    return folder;
}

void decodePhotographs(PhotographFolder& folder, Observer& observer) {
    observer.onStage("photographs", folder.photographs.size());
    std::vector<std::string> faults(folder.photographs.size());
    ByteBudget budget(kDecodingBytes);
    std::mutex mutex;
    uint64_t done = 0;
    parallelFor(folder.photographs.size(), [&](size_t i) {
        try {
            decode(folder, folder.photographs[i], budget);
        } catch (const InputError& problem) {
            faults[i] = problem.what();
        }
        const std::scoped_lock lock(mutex);
        observer.check();
        observer.onProgress(++done);
    });
    std::vector<Photograph> usable;
    for (size_t i = 0; i < faults.size(); ++i) {
        if (faults[i].empty()) {
            usable.push_back(folder.photographs[i]);
        } else {
            folder.leftOut.push_back({folder.photographs[i].file(), faults[i]});
        }
    }
    folder.photographs = std::move(usable);
    if (folder.photographs.size() >= kFewestPhotographs) return;
    throw InputError("{}: found {} usable photographs, expected at least {}, better 30{}", folder.images.string(),
                     folder.photographs.size(), kFewestPhotographs, listOf(folder.leftOut));
}

std::vector<std::vector<std::string>> cameraGroups(const std::vector<Photograph>& photographs) {
    std::map<std::tuple<std::string, int, int>, std::vector<std::string>> groups;
    for (const Photograph& each : photographs)
        groups[{fs::path(each.name).parent_path().string(), each.size.width, each.size.height}].push_back(each.name);
    std::vector<std::vector<std::string>> names;
    for (auto& [key, group] : groups) names.push_back(std::move(group));
    return names;
}

void place(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    fs::create_directories(to.parent_path(), failed);
    fs::create_hard_link(fs::canonical(from, failed), to, failed);
    if (!failed) return;
    const auto time = fs::last_write_time(from, failed);
    fs::copy_file(from, to, failed);  // never over another file
    if (failed) throw Error("{}: cannot be written: {}", to.string(), failed.message());
    fs::last_write_time(to, time, failed);
}

void placePhotographs(const PhotographFolder& from, const fs::path& images, const fs::path& masks, Observer& observer) {
    convertAll(from, images, observer);
    for (const Photograph& photograph : from.photographs) {
        observer.check();
        if (photograph.source.empty()) place(from.images / photograph.name, images / photograph.name);
        const fs::path mask = maskOf(from, photograph);
        if (!mask.empty()) place(mask, masks / (photograph.name + ".png"));
    }
}

}  // namespace splat::prepare
