// Permissions, FIFOs and links in the place of the file that keeps compiled pipelines.
#include "kept_pipelines.h"

#include <sys/stat.h>

#include <splatwright/core/file.h>

namespace splat::gpu {
namespace {

TEST_F(Kept, TheFileIsTheUsersAlone) {
    struct stat status {};
    ASSERT_EQ(stat(run().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

/// Else another user of the machine could hand the driver what it likes.
TEST_F(Kept, AFileThatOthersMayWriteIsNotRead) {
    const fs::path file = run();
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    EXPECT_TRUE(isWrittenAnew(file));
}

TEST_F(Kept, AFifoIsNotWaitedForAndALinkNotFollowed) {
    const fs::path file = run();
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);  // opening one waits for a writer
    run();
    fs::remove(file);
    const fs::path other = scratch.write("somebody's", "text");
    fs::create_symlink(other, file);
    run();
    EXPECT_EQ(readTextFile(other), "text");
}

}  // namespace
}  // namespace splat::gpu
