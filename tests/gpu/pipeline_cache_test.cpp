// The file that keeps compiled pipelines between runs: it may be anything, and nothing may depend on it.
#include <splatwright/gpu/pipeline_cache.h>

#include <sys/stat.h>
#include <algorithm>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/core/platform/program.h>
#include "scene/scratch.h"
#include "support/test_device.h"

namespace splat::gpu {
namespace {

namespace fs = std::filesystem;

struct Kept : testing::Test {
    test::Scratch scratch;
    fs::path folder = scratch.path() / "cache";
    Device& device = testDevice();

    PipelineCache open() const { return PipelineCache(device.handle(), device.physical(), folder); }
    /// A run of a program: reads the file, makes pipelines, saves.
    fs::path run() const {
        PipelineCache cache = open();
        EXPECT_NE(cache.handle(), VkPipelineCache{VK_NULL_HANDLE});
        cache.save();
        return cache.file();
    }
    static fs::file_time_type long_ago() { return fs::file_time_type::clock::now() - std::chrono::hours(1); }
    /// Whether a run that finds the file as it is writes it anew: what it has read from it counts as nothing.
    bool isWrittenAnew(const fs::path& file) const {
        fs::last_write_time(file, long_ago());
        const auto before = fs::last_write_time(file);
        run();
        return fs::last_write_time(file) != before;
    }
};

TEST_F(Kept, ASecondRunReadsWhatTheFirstHasWritten) {
    const fs::path file = run();
    ASSERT_TRUE(fs::is_regular_file(file));
    EXPECT_FALSE(isWrittenAnew(file)) << "all of it was known";
    struct stat status {};
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(Kept, DamageIsNoticedBeforeTheDriverSeesIt) {
    const fs::path file = run();
    const std::string good = readTextFile(file);
    for (const std::string& bad :
         {std::string(), good.substr(0, 10), good.substr(0, good.size() - 1), good + "x", std::string(5000, 'x')}) {
        writeFileAtomically(file, bad);
        fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
        EXPECT_TRUE(isWrittenAnew(file)) << bad.size() << " bytes";
        EXPECT_EQ(readTextFile(file).size(), good.size());
    }
    for (size_t at = 0; at < good.size(); at += 7) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        writeFileAtomically(file, bad);
        fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
        EXPECT_TRUE(isWrittenAnew(file)) << "bit of byte " << at;
    }
}

/// Else another user of the machine could hand the driver what it likes.
TEST_F(Kept, AFileThatOthersMayWriteIsNotRead) {
    const fs::path file = run();
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    EXPECT_TRUE(isWrittenAnew(file));
}

TEST_F(Kept, WhatCannotBeAFileIsDoneWithout) {
    const fs::path file = run();
    fs::remove(file);
    fs::create_directory(file);
    run();
    EXPECT_TRUE(fs::is_directory(file));
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);  // opening one waits for a writer
    run();
    fs::remove(file);
    const fs::path other = scratch.write("somebody's", "text");
    fs::create_symlink(other, file);
    run();
    EXPECT_EQ(readTextFile(other), "text");
    fs::remove_all(folder);
    scratch.write("cache", "a file where the folder should be");
    run();
    PipelineCache nowhere(device.handle(), device.physical(), {});
    nowhere.save();
    EXPECT_TRUE(nowhere.file().empty());
}

TEST_F(Kept, OldFilesGo) {
    const fs::path first = run();
    for (int i = 0; i < 40; ++i) fs::last_write_time(scratch.write(fmt::format("cache/pipelines-older-{}", i), "x"), long_ago());
    scratch.write("cache/other", "somebody else's");
    fs::resize_file(first, 3);
    run();
    EXPECT_TRUE(fs::exists(first));
    EXPECT_TRUE(fs::exists(folder / "other"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), ptrdiff_t{PipelineCache::kMostFiles} + 1);
}

TEST_F(Kept, ManyMayWriteAtOnce) {
    const fs::path file = run();
    {
        std::vector<std::jthread> writers;
        for (int i = 0; i < 4; ++i) {
            writers.emplace_back([&] {
                for (int n = 0; n < 10; ++n) {
                    std::error_code ignored;
                    fs::remove(file, ignored);
                    run();
                }
            });
        }
    }
    run();
    EXPECT_FALSE(isWrittenAnew(file)) << "a whole file of one of them";
}

/// The engine uses it: the environment says where.
TEST(PipelineCacheOfADevice, LiesInTheUsersCacheFolder) {
    const test::Scratch scratch;
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_CACHE_HOME", scratch.path().c_str(), 1);
    { const Device device(testDeviceOptions()); }
    before ? setenv("XDG_CACHE_HOME", kept.c_str(), 1) : unsetenv("XDG_CACHE_HOME");
    const std::string name = fs::directory_iterator(scratch.path() / "splatwright")->path().filename();
    EXPECT_TRUE(name.starts_with("pipelines-") && name.ends_with(platform::buildOfProgram())) << name;
}

}  // namespace
}  // namespace splat::gpu
