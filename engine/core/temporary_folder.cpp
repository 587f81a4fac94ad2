#include <splatwright/core/temporary_folder.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>

namespace splat {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(std::string_view name) {
    std::error_code problem;
    const fs::path parent = fs::temp_directory_path(problem);
    if (problem) throw Error("the folder for temporary files (TMPDIR) cannot be used: {}", problem.message());
    std::string path = (parent / fmt::format("{}-XXXXXX", name)).string();
    if (mkdtemp(path.data()) == nullptr) throw Error("{}: cannot be created: {}", printable(path), std::strerror(errno));
    path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace splat
