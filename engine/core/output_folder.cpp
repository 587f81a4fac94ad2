#include <splatwright/core/output_folder.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

fs::path absolutePath(const fs::path& path) {
    fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();  // "out/" is "out"
}

}  // namespace

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
    if (path_.empty()) throw InputError("the path of the output folder is empty, expected a folder");
    requireUsableName(path_);
    std::error_code failed;
    if (fs::is_regular_file(path_, failed)) throw InputError("{}: is a file, expected a folder or a new path", path_.string());
    lowestExisting_ = absolutePath(path_);
    while (!fs::exists(lowestExisting_, failed) && lowestExisting_.has_relative_path()) lowestExisting_ = lowestExisting_.parent_path();
    fs::create_directories(path_, failed);
    if (failed) throw Error("{}: the output folder cannot be created: {}", path_.string(), failed.message());
    checkWritable(temporaryBeside(path_ / "probe"));
}

/// Removes empty folders up to the first one that existed before.
OutputFolder::~OutputFolder() {
    std::error_code failed;
    for (fs::path folder = absolutePath(path_); folder != lowestExisting_ && folder.has_relative_path(); folder = folder.parent_path()) {
        if (!fs::remove(folder, failed)) return;
    }
}

}  // namespace splat
