#include <splatwright/prepare/work_folder.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat::prepare {

namespace fs = std::filesystem;

WorkFolder::WorkFolder(const fs::path& out, const Origin& origin, bool force, bool inPlace) {
    checkFolder(out, origin, force, inPlace);
    std::error_code failed;
    const fs::path log = out / kLogFile;  // lines are appended to it
    const fs::file_status status = fs::symlink_status(log, failed);
    const bool isOwn = status.type() == fs::file_type::regular && fs::hard_link_count(log, failed) <= 1;
    if (!isOwn && status.type() != fs::file_type::not_found)
        throw InputError("{}: is no file of its own, expected one, or none; move it away", log.string());
    fs::create_directories(out / kWorkFolder, failed);
    if (failed) throw Error("{}: cannot be created: {}", (out / kWorkFolder).string(), failed.message());
    checkWritable(out / kWorkFolder / "stages.json");
    lock_.emplace(out / kWorkFolder);
    checkFolder(out, origin, force, inPlace);  // another process may have made something since
    own_.emplace(out);
    stages_.emplace(out / kWorkFolder / "stages.json");
}

}  // namespace splat::prepare
