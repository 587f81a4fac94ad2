// The file that keeps compiled pipelines between runs: it may be anything, and nothing may depend on it.
#include "kept_pipelines.h"

#include <thread>

#include <splatwright/core/file.h>
#include <splatwright/core/platform/machine.h>
#include <splatwright/core/platform/program.h>

namespace splat::gpu {
namespace {

TEST_F(Kept, ASecondRunReadsWhatTheFirstHasWritten) {
    const fs::path file = run();
    ASSERT_TRUE(fs::is_regular_file(file));
    EXPECT_FALSE(isWrittenAnew(file)) << "all of it was known";
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

TEST_F(Kept, WhatCannotBeAFileIsDoneWithout) {
    const fs::path file = run();
    fs::remove(file);
    fs::create_directory(file);
    run();
    EXPECT_TRUE(fs::is_directory(file));
    fs::remove_all(folder);
    scratch.write("cache", "a file where the folder should be");
    run();
    PipelineCache nowhere(device.handle(), device.physical(), {});
    nowhere.save();
    EXPECT_TRUE(nowhere.file().empty());
}

TEST_F(Kept, OldFilesGo) {
    const fs::path first = run();
    for (int i = 0; i < 40; ++i) fs::last_write_time(scratch.write(fmt::format("cache/pipelines-older-{}", i), "x"), longAgo());
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
    const char* variable = platform::systemName().starts_with("Windows") ? "LOCALAPPDATA" : "XDG_CACHE_HOME";
    const char* before = std::getenv(variable);
    const std::string kept = before ? before : "";
    platform::setEnvironment(variable, scratch.path().string().c_str());
    { const Device device(testDeviceOptions()); }
    platform::setEnvironment(variable, kept.c_str());
    const std::string name = fs::directory_iterator(scratch.path() / "splatwright")->path().filename().string();
    EXPECT_TRUE(name.starts_with("pipelines-") && name.ends_with(platform::buildOfProgram())) << name;
}

}  // namespace
}  // namespace splat::gpu
