#pragma once

#include <splatwright/gpu/pipeline_cache.h>

#include <gtest/gtest.h>

#include "scene/scratch.h"
#include "support/test_device.h"

namespace splat::gpu {

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
    static fs::file_time_type longAgo() { return fs::file_time_type::clock::now() - std::chrono::hours(1); }
    /// Whether a run that finds the file as it is writes it anew: what it has read from it counts as nothing.
    bool isWrittenAnew(const fs::path& file) const {
        fs::last_write_time(file, longAgo());
        const auto before = fs::last_write_time(file);
        run();
        return fs::last_write_time(file) != before;
    }
};

}  // namespace splat::gpu
