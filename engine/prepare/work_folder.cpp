#include <splatwright/prepare/work_folder.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

/// Lines are appended to it.
void checkLog(const fs::path& log) {
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(log, ignored);
    if (status.type() == fs::file_type::not_found) return;
    if (status.type() != fs::file_type::regular || fs::hard_link_count(log, ignored) > 1)
        throw InputError("{}: is no file of its own, expected one, or none; move it away", log.string());
}

}  // namespace

WorkFolder::WorkFolder(const fs::path& out, const Origin& origin, bool force, bool inPlace) {
    checkFolder(out, origin, force, inPlace);
    checkLog(out / kLogFile);
    std::error_code failed;
    fs::create_directories(out / kWorkFolder, failed);
    if (failed) throw Error("{}: cannot be created: {}", (out / kWorkFolder).string(), failed.message());
    checkWritable(out / kWorkFolder / "stages.json");
    lock_.emplace(out / kWorkFolder);
    checkFolder(out, origin, force, inPlace);  // another process may have made something since
    own_.emplace(out);
    stages_.emplace(out / kWorkFolder / "stages.json");
}

}  // namespace splat::prepare
