#include <splatwright/prepare/snapshots.h>

#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include "../scene/scratch.h"
#include "made_model.h"

namespace splat::prepare {
namespace {

namespace fs = std::filesystem;
using namespace test;

/// COLMAP's folders are named by milliseconds, with ten digits.
fs::path snapshotIn(const fs::path& folder, int time) { return folder / fmt::format("{:010}", time); }

void writeSnapshot(const fs::path& folder, size_t images) {
    fs::create_directories(folder);
    writeModel(folder, madeModel(images, 20, 2));
}

TEST(Snapshots, AboutThirtyAreAskedFor) {
    const Scratch scratch;
    for (const auto& [photographs, every] : std::map<size_t, std::string>{{3, "1"}, {30, "1"}, {59, "1"}, {60, "2"}, {3000, "100"}}) {
        const std::vector<ColmapOption> options = Snapshots(scratch.path() / "a", photographs).options();
        ASSERT_EQ(options.size(), 2u);
        EXPECT_EQ(options[0].value, (scratch.path() / "a").string());
        EXPECT_EQ(options[1].value, every) << photographs;
    }
}

TEST(Snapshots, EachIsTakenOnceAndTheNewestFirst) {
    const Scratch scratch;
    const fs::path folder = scratch.path() / "snapshots";
    Snapshots snapshots(folder, 30);
    EXPECT_FALSE(snapshots.take());
    writeSnapshot(snapshotIn(folder, 999), 2);
    writeSnapshot(snapshotIn(folder, 1000), 3);
    const auto model = snapshots.take();
    ASSERT_TRUE(model);
    EXPECT_EQ(model->images.size(), 3u);
    EXPECT_EQ(model->points.size(), 20u);
    EXPECT_FALSE(snapshots.take());
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST(Snapshots, OneThatIsStillBeingWrittenComesLater) {
    const Scratch scratch;
    const fs::path folder = scratch.path() / "snapshots", last = snapshotIn(folder, 5);
    Snapshots snapshots(folder, 30);
    writeSnapshot(last, 4);
    for (const char* name : {"points3D.bin", "images.bin", "cameras.bin"}) {
        const std::string whole = readTextFile(last / name);
        fs::resize_file(last / name, whole.size() / 2);
        EXPECT_FALSE(snapshots.take()) << name;
        fs::remove(last / name);
        EXPECT_FALSE(snapshots.take()) << name;
        std::ofstream(last / name, std::ios::binary) << whole;
    }
    const auto model = snapshots.take();
    ASSERT_TRUE(model);
    EXPECT_EQ(model->images.size(), 4u);
}

TEST(Snapshots, TheFolderIsReplacedAndRemoved) {
    const Scratch scratch;
    const fs::path folder = scratch.path() / "snapshots";
    writeSnapshot(snapshotIn(folder, 1), 2);  // of a killed call
    {
        Snapshots snapshots(folder, 30);
        EXPECT_FALSE(snapshots.take());
    }
    EXPECT_FALSE(fs::exists(folder));
}

}  // namespace
}  // namespace splat::prepare
