#include <splatwright/core/temporary_folder.h>

#include <string>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/core/platform/file.h>

namespace splat {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(std::string_view name) {
    std::error_code problem;
    const fs::path parent = fs::temp_directory_path(problem);
    if (problem)
        throw Error("the folder for temporary files ({}) cannot be used: {}", platform::temporaryFolderVariable(), problem.message());
    problem = platform::createPrivateFolder(parent / name, path_);
    if (problem) throw Error("{}: cannot be created: {}", printable(path_.string()), problem.message());
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace splat
