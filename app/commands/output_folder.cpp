#include "commands/output_folder.h"

#include "core/error.h"
#include "core/file.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

fs::path absolutePath(const fs::path& path) {
    fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();  // "out/" is "out"
}

fs::path lowestExisting(fs::path path) {
    std::error_code ignored;
    while (!fs::exists(path, ignored) && path.has_relative_path()) path = path.parent_path();
    return path;
}

}  // namespace

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
    if (path_.empty()) throw InputError("-o: the path is empty, expected a folder");
    std::error_code failed;
    if (fs::is_regular_file(path_, failed)) throw InputError("{}: is a file, expected a folder or a new path", path_.string());
    lowestThatWas_ = lowestExisting(absolutePath(path_));
    fs::create_directories(path_, failed);
    if (failed) throw Error("{}: the output folder cannot be made: {}", path_.string(), failed.message());
    tryWriting();
}

/// Folders that hold nothing go, up to the one that was there.
OutputFolder::~OutputFolder() {
    std::error_code failed;
    for (fs::path folder = absolutePath(path_); folder != lowestThatWas_ && folder.has_relative_path(); folder = folder.parent_path()) {
        if (!fs::remove(folder, failed)) return;
    }
}

void OutputFolder::tryWriting() const { checkWritable(temporaryBeside(path_ / "probe")); }

void refuseToOverwrite(const fs::path& folder, std::span<const std::string_view> files) {
    std::error_code ignored;
    for (const std::string_view file : files) {
        if (!fs::exists(folder / file, ignored)) continue;
        if (fs::is_regular_file(folder / file, ignored) && fs::file_size(folder / file, ignored) == 0) continue;
        throw InputError("{}: holds another run ({}), expected a new folder, or --force to overwrite it", folder.string(), file);
    }
}

}  // namespace splat::app
