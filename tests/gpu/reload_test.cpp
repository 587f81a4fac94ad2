// Kernels that are edited while the program runs; in a copy of the shaders' folder.
#include <splatwright/gpu/reload.h>

#include <thread>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/kernel_signature.h>
#include <splatwright/gpu/screen.h>
#include "../scene/scratch.h"
#include "kernels/gather_tile_counts.h"
#include "support/test_device.h"

namespace splat::gpu {
namespace {

namespace fs = std::filesystem;

struct Reload : testing::Test {
    Reload() {
        if (!problem.empty()) return;
        fs::copy(sources.shaders, scratch.path() / "shaders", fs::copy_options::recursive);
        sources.shaders = scratch.path() / "shaders";
        file = sources.shaders / sources.kernels.at("gather_tile_counts").source;
        for (auto& [name, kernel] : sources.kernels) kernel.compiled = fs::file_time_type::clock::now();
    }

    void SetUp() override {
        if (!problem.empty()) GTEST_SKIP() << problem;
    }
    /// What a machine without the build's folder has: nothing, and the problem is said.
    KernelSources sourcesOfThisBuild() {
        try {
            return KernelSources::ofThisBuild();
        } catch (const Error& e) {
            problem = e.what();
            return {};
        }
    }

    /// Replaces a part of a file below the shaders' folder.
    static void edit(const fs::path& path, const std::string& from, const std::string& to) {
        std::string text = readTextFile(path);
        const size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        const fs::file_time_type before = fs::last_write_time(path);
        std::ofstream(path) << text.replace(at, from.size(), to);
        fs::last_write_time(path, std::max(fs::file_time_type::clock::now(), before) + std::chrono::milliseconds(50));
    }

    uint32_t gathered() {
        const Buffer visible = device.buffer<uint32_t>("visible count", 1), indices = device.buffer<uint32_t>("indices", 1);
        const Buffer values = device.buffer<uint32_t>("values", 1), result = device.buffer<uint32_t>("result", 1);
        device.upload(visible, std::vector<uint32_t>{1});
        device.upload(values, std::vector<uint32_t>{7});
        device.run("gather", [&](Commands& c) {
            c.fill(indices, 0);
            c.dispatch(
                kernels::gather_tile_counts{
                    .visibleCount = visible, .gaussianFromRank = indices, .tileCounts = values, .rankedCounts = result},
                1);
        });
        return device.download<uint32_t>(result, 1)[0];
    }

    test::Scratch scratch;
    std::string problem;
    KernelSources sources = sourcesOfThisBuild();
    fs::path file;
    Device device{testDeviceOptions()};
};

const std::string kGather = "tileCounts[gaussianFromRank[rank]]";

TEST_F(Reload, NothingHappensWhileNothingHasChanged) {
    ShaderReload reload(device, sources);
    const ReloadResult result = reload.reload();
    EXPECT_TRUE(result.reloaded.empty());
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(device.kernelGeneration(), 0u);
}

TEST_F(Reload, ChangedKernelRunsFromTheNextRecordingOn) {
    EXPECT_EQ(gathered(), 7u);
    ShaderReload reload(device, sources);
    edit(file, kGather, kGather + " + 35");
    const ReloadResult result = reload.reload();
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.reloaded, std::vector<std::string>{"gather_tile_counts"});
    EXPECT_EQ(device.kernelGeneration(), 1u);
    EXPECT_EQ(gathered(), 42u);
    EXPECT_TRUE(reload.reload().reloaded.empty());
    edit(file, " + 35", "");
    EXPECT_EQ(reload.reload().reloaded.size(), 1u);
    EXPECT_EQ(gathered(), 7u);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST_F(Reload, OldRecordingsRunTheOldCode) {
    const Buffer visible = device.buffer<uint32_t>("visible count", 1), indices = device.buffer<uint32_t>("indices", 1);
    const Buffer values = device.buffer<uint32_t>("values", 1), result = device.buffer<uint32_t>("result", 1);
    device.upload(visible, std::vector<uint32_t>{1});
    device.upload(indices, std::vector<uint32_t>{0});
    device.upload(values, std::vector<uint32_t>{7});
    Commands old(device, "old");
    old.dispatch(
        kernels::gather_tile_counts{.visibleCount = visible, .gaussianFromRank = indices, .tileCounts = values, .rankedCounts = result}, 1);
    old.end();
    ShaderReload reload(device, sources);
    edit(file, kGather, "99");
    reload.reload();
    device.wait(device.submit(old));
    EXPECT_EQ(device.download<uint32_t>(result, 1)[0], 7u);
    EXPECT_EQ(gathered(), 99u);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST_F(Reload, WhatIsImportedCounts) {
    ShaderReload reload(device, sources);
    edit(sources.shaders / "lib" / "train" / "stage_ticks.slang", "\n", "\n// touched\n");
    const ReloadResult result = reload.reload();
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.reloaded, (std::vector<std::string>{"end_refinement", "end_step"}));
}

TEST_F(Reload, AFileOfSeveralKernelsReloadsThemAll) {
    ShaderReload reload(device, sources);
    edit(sources.shaders / "primitives" / "sort_histogram.slang", "\n", "\n// touched\n");
    const ReloadResult result = reload.reload();
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.reloaded, (std::vector<std::string>{"sort_histogram", "sort_histogram_u16"}));
}

TEST_F(Reload, BrokenSourcesAreToldByFileAndLineAndChangeNothing) {
    ShaderReload reload(device, sources);
    edit(file, kGather, "undefinedName");
    reload.begin();
    std::optional<ReloadResult> result;
    while (!(result = reload.poll())) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(reload.busy());
    EXPECT_TRUE(result->reloaded.empty());
    EXPECT_NE(result->problem.find("gather_tile_counts.slang:15"), std::string::npos) << result->problem;
    EXPECT_NE(result->problem.find("undefinedName"), std::string::npos) << result->problem;
    EXPECT_EQ(device.kernelGeneration(), 0u);
    EXPECT_EQ(gathered(), 7u);
    edit(file, "undefinedName", "43");
    EXPECT_EQ(reload.reload().problem, "");
    EXPECT_EQ(gathered(), 43u);
}

TEST_F(Reload, AnotherInterfaceIsRefusedByName) {
    const std::pair<const char*, const char*> edits[] = {{"StructuredBuffer<uint> tileCounts;", "StructuredBuffer<uint2> tileCounts;"},
                                                         {"StructuredBuffer<uint> tileCounts;", "RWStructuredBuffer<uint> tileCounts;"},
                                                         {"numthreads(", "numthreads(2 * "}};
    const std::string whole = readTextFile(file);
    for (const auto& [from, to] : edits) {
        ShaderReload reload(device, sources);
        edit(file, from, to);
        if (std::string(to).find("uint2") != std::string::npos) edit(file, kGather, kGather + ".x");
        const ReloadResult result = reload.reload();
        EXPECT_TRUE(result.reloaded.empty()) << to;
        const char* named = std::string(to).find("numthreads") == 0 ? "group size" : "'tileCounts'";
        EXPECT_NE(result.problem.find("'gather_tile_counts'"), std::string::npos) << result.problem;
        EXPECT_NE(result.problem.find(named), std::string::npos) << result.problem;
        EXPECT_EQ(gathered(), 7u);
        std::ofstream(file) << whole;
    }
}

TEST_F(Reload, AScreenTakesItsEditedShaderAndKeepsItWhileTheNextOneIsBroken) {
    if (!device.has(Feature::graphics)) GTEST_SKIP() << "screens need graphics on the compute queue";
    Screen screen(device, {8, 8});
    const Buffer white = device.buffer<uint32_t>("white", 1);
    device.upload(white, std::vector<uint32_t>{0xffffffff});
    const Painting triangle{.vertices = {{{0, 0}, {}, 0xffffffff}, {{64, 0}, {}, 0xffffffff}, {{0, 64}, {}, 0xffffffff}},
                            .indices = {0, 1, 2},
                            .ranges = {{.indices = 3, .clipHigh = {32, 32}, .texture = {white, {1, 1}}}}};
    const auto red = [&] {  // of a pixel, with paintings of before still in flight
        for (int i = 0; i < 5; ++i) screen.show(triangle);
        return screen.screenshot().at(3, 3)[0];
    };
    const fs::path shader = sources.shaders / sources.kernels.at("paint").source;
    ShaderReload reload(device, sources);
    EXPECT_EQ(red(), 255);
    edit(shader, "return corner.colour *", "return float4(0.2, 1, 1, 1) * corner.colour *");
    screen.show(triangle);
    EXPECT_EQ(reload.reload().reloaded, std::vector<std::string>{"paint"});
    EXPECT_EQ(red(), 51);
    edit(shader, "float4(0.2, 1, 1, 1)", "undefinedName");
    EXPECT_NE(reload.reload().problem.find("paint.slang"), std::string::npos);
    EXPECT_EQ(red(), 51);
    edit(shader, "undefinedName", "1.0");
    edit(shader, "uint firstVertex;", "uint firstVertex;\n    uint more;");
    EXPECT_NE(reload.reload().problem.find("constant 'range' has changed"), std::string::npos);
    EXPECT_EQ(red(), 51);
    edit(shader, "\n    uint more;", "");
    screen.resize({16, 16});
    EXPECT_EQ(reload.reload().problem, "");
    EXPECT_EQ(red(), 255);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(KernelSignature, AnUnusedBufferDoesNoHarmButAMissingConstantDoes) {
    const std::map<std::string, std::string> before{{"buffer 'a'", "x"}, {"constant 'n'", "y"}};
    EXPECT_EQ(misfit(before, before), "");
    EXPECT_EQ(misfit(before, {{"constant 'n'", "y"}}), "");
    EXPECT_EQ(misfit(before, {{"buffer 'a'", "x"}}), "constant 'n' is gone");
    EXPECT_EQ(misfit({{"constant 'n'", "y"}}, before), "buffer 'a' is new");
    EXPECT_NE(misfit(before, {{"buffer 'a'", "z"}, {"constant 'n'", "y"}}).find("buffer 'a' has changed"), std::string::npos);
}

}  // namespace
}  // namespace splat::gpu
