// What kernels need of a device, and that those with subgroup operations get full subgroups of a known size.
#include <splatwright/gpu/kernel_needs.h>

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/pipelines.h>
#include <splatwright/gpu/spirv.h>
#include "kernels/all.h"
#include "kernels/blend.h"
#include "kernels/blend_subgroup.h"
#include "kernels/measure_filters.h"
#include "kernels/scan_write.h"
#include "support/test_device.h"

namespace splat::gpu {
namespace {

constexpr SubgroupSizes kLavapipe{8, 8, 8, 32}, kNarrowLavapipe{4, 4, 4, 32}, kNvidia{32, 32, 32, 48}, kIntel{32, 8, 32, 64},
    kAmd{64, 32, 64, 64}, kUnknown{32, 0, 0, 0};

struct SizeCase {
    SubgroupSizes device;
    uint32_t threads, wanted, expected;
};

TEST(FullSubgroups, AreOfTheDevicesOwnSizeOrTheOneThatIsWanted) {
    for (const SizeCase& c : {SizeCase{kLavapipe, 256, 0, 8}, SizeCase{kLavapipe, 256, 32, 0}, SizeCase{kNarrowLavapipe, 256, 0, 0},
                              SizeCase{kNarrowLavapipe, 128, 0, 4}, SizeCase{kNvidia, 256, 0, 32}, SizeCase{kNvidia, 256, 32, 32},
                              SizeCase{kIntel, 256, 0, 32}, SizeCase{kIntel, 16, 0, 8}, SizeCase{kAmd, 256, 32, 32},
                              SizeCase{kAmd, 32, 0, 32}, SizeCase{kUnknown, 256, 0, 0}, SizeCase{kUnknown, 256, 32, 0}}) {
        EXPECT_EQ(fullSubgroupSize(c.device, {c.threads, 1, 1}, c.wanted), c.expected)
            << c.threads << " threads on subgroups of " << c.device.own << ", wanted " << c.wanted;
    }
    EXPECT_EQ(fullSubgroupSize(kNvidia, {16, 16, 1}, 0), 0u) << "subgroups are full only along x";
}

TEST(FullSubgroups, OffersEverySizeThatFits) {
    using Sizes = std::vector<uint32_t>;
    EXPECT_EQ(offeredSubgroupSizes(kIntel, {256, 1, 1}), (Sizes{8, 16, 32}));
    EXPECT_EQ(offeredSubgroupSizes(kIntel, {16, 1, 1}), (Sizes{8, 16}));
    EXPECT_EQ(offeredSubgroupSizes(kAmd, {256, 1, 1}), (Sizes{32, 64}));
    EXPECT_EQ(offeredSubgroupSizes(kNvidia, {256, 1, 1}), (Sizes{32}));
    EXPECT_EQ(offeredSubgroupSizes(kLavapipe, {256, 1, 1}), (Sizes{8}));
    EXPECT_EQ(offeredSubgroupSizes(kNarrowLavapipe, {256, 1, 1}), Sizes{}) << "too many subgroups for a group";
    EXPECT_EQ(offeredSubgroupSizes(kUnknown, {256, 1, 1}), Sizes{});
}

/// Of a device's kernels, or of what a thread tries; a size that does not fit is no one's.
TEST(FullSubgroups, AreOfThePreferredSizeWhereItFits) {
    Device device(testDeviceOptions());
    const uint32_t own = device.subgroupSizes().own;
    {
        const SubgroupTrial trial(2 * own);
        EXPECT_EQ(device.subgroupSizes().own, 2 * own);
    }
    EXPECT_EQ(device.subgroupSizes().own, own);
    device.preferSubgroupSize(4 * own);
    EXPECT_EQ(device.subgroupSizes().own, 4 * own);
    SubgroupSizes sizes = kIntel;
    sizes.own = 16;
    EXPECT_EQ(fullSubgroupSize(sizes, {256, 1, 1}, 0), 16u);
    sizes.own = 7;
    EXPECT_EQ(fullSubgroupSize(sizes, {256, 1, 1}, 0), 8u);
}

TEST(FullSubgroups, NeedTheSizeToBePinned) {
    DeviceOptions options = testDeviceOptions();
    options.disabled = {"subgroup-size-control"};
    const Device device(options);
    for (const KernelInfo* kernel : kernels::all()) {
        EXPECT_FALSE(hasSubgroupOperations(*kernel) && device.runs(*kernel)) << kernel->name;
    }
    EXPECT_TRUE(device.runs(kernels::blend::info()));
    EXPECT_NE(missingFor(device, kernels::scan_write::info()), "");
}

TEST(FullSubgroups, KernelsForThirtyTwoLanesSaySo) {
    EXPECT_EQ(kernels::blend_subgroup::info().subgroupSize, 32u);
    EXPECT_EQ(kernels::scan_write::info().subgroupSize, 0u);
    for (const KernelInfo* kernel : kernels::all()) {
        EXPECT_TRUE(kernel->subgroupSize == 0 || hasSubgroupOperations(*kernel)) << kernel->name;
    }
}

/// Sees what the engine asks the driver for, in the place of volk's function.
struct PipelineSpy {
    PipelineSpy() { std::swap(real, vkCreateComputePipelines); }
    ~PipelineSpy() { std::swap(real, vkCreateComputePipelines); }
    static VKAPI_ATTR VkResult VKAPI_CALL see(VkDevice device, VkPipelineCache cache, uint32_t count,
                                              const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                              VkPipeline* pipelines) {
        const VkPipelineShaderStageCreateInfo& stage = infos[0].stage;
        full = (stage.flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT) != 0;
        const auto* pinned = static_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo*>(stage.pNext);
        size = pinned ? pinned->requiredSubgroupSize : 0;
        return real(device, cache, count, infos, allocator, pipelines);
    }
    inline static PFN_vkCreateComputePipelines real = &see;
    inline static bool full = false;
    inline static uint32_t size = 0;
};

TEST(FullSubgroups, AreAskedForInEveryPipelineWithSubgroupOperationsAndInNoOther) {
    Device device(testDeviceOptions());
    const PipelineSpy spy;
    size_t seen = 0;
    for (const KernelInfo* kernel : kernels::all()) {
        const bool chosen = hasSubgroupOperations(*kernel) || std::string_view(kernel->name).ends_with("_portable");
        if (!chosen || !device.runs(*kernel)) continue;
        device.pipeline({.info = kernel});
        EXPECT_EQ(PipelineSpy::full, hasSubgroupOperations(*kernel)) << kernel->name;
        EXPECT_EQ(PipelineSpy::size, hasSubgroupOperations(*kernel) ? device.fullSubgroupSize(*kernel) : 0) << kernel->name;
        EXPECT_TRUE(kernel->subgroupSize == 0 || PipelineSpy::size == kernel->subgroupSize) << kernel->name;
        ++seen;
    }
    EXPECT_GT(seen, 0u);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(FullSubgroups, SizeControlIsReadFromTheExtensionBeforeVulkan13) {
    Probe p;
    for (const bool extension : {false, true}) {
        if (extension) p.extensions.insert(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
        p.properties.properties.apiVersion = VK_API_VERSION_1_2;
        EXPECT_EQ(needsSizeControlExtension(p), extension);
        p.properties.properties.apiVersion = VK_API_VERSION_1_3;
        EXPECT_FALSE(needsSizeControlExtension(p));
    }
}

// ---- Every kernel that needs more than the baseline. ctest lists as skipped what this device cannot run.

bool needsAFeature(const KernelInfo* kernel) {
    const auto baseline = [](uint32_t capability) { return capability == 1; };  // Shader
    return !std::ranges::all_of(kernel->capabilities, baseline);
}

std::vector<const KernelInfo*> demandingKernels() {
    std::vector<const KernelInfo*> found = kernels::all();
    std::erase_if(found, [](const KernelInfo* kernel) { return !needsAFeature(kernel); });
    return found;
}

class DemandingKernel : public testing::TestWithParam<const KernelInfo*> {};

TEST_P(DemandingKernel, RunsHere) {
    const std::string missing = missingFor(testDevice(), *GetParam());
    if (!missing.empty()) {
        EXPECT_THROW(testDevice().pipeline({.info = GetParam()}), Error);
        GTEST_SKIP() << "kernel " << GetParam()->name << " is not run on this device, because it needs " << missing;
    }
    EXPECT_NE(testDevice().pipeline({.info = GetParam()}).pipeline, VK_NULL_HANDLE);
}

INSTANTIATE_TEST_SUITE_P(Kernels, DemandingKernel, testing::ValuesIn(demandingKernels()),
                         [](const auto& p) { return std::string(p.param->name); });

// ---- Maximal reconvergence, as words of a module.

std::vector<std::vector<uint32_t>> instructionsOf(std::span<const uint32_t> code) {
    std::vector<std::vector<uint32_t>> found;
    for (size_t at = 5; at < code.size(); at += code[at] >> 16u)
        found.emplace_back(code.begin() + static_cast<std::ptrdiff_t>(at),
                           code.begin() + static_cast<std::ptrdiff_t>(at + (code[at] >> 16u)));
    return found;
}

uint32_t opcodeOf(const std::vector<uint32_t>& instruction) { return instruction[0] & 0xffffu; }

/// Other groups raise the maximum while a group looks at it.
TEST(Atomics, TheWidestFilterIsLoadedAtomically) {
    constexpr uint32_t kAtomicLoad = 227;  // SPIR-V
    const auto instructions = instructionsOf(kernels::measure_filters::info().code);
    EXPECT_EQ(std::ranges::count(instructions, kAtomicLoad, opcodeOf), 1);
}

/// Places, by their order in a module, of the sections that the specification (2.4) demands; 0 for everything behind.
int sectionOf(uint32_t opcode) {
    constexpr uint32_t kOrder[] = {17, 10, 11, 14, 15, 16};  // capabilities, extensions, imports, memory model, entry points, modes
    const auto* found = std::ranges::find(kOrder, opcode);
    return found == std::end(kOrder) ? 6 : static_cast<int>(found - kOrder);
}

TEST(MaximalReconvergence, AddsOneExtensionAndOneModeWhereTheyBelong) {
    for (const KernelInfo* kernel : demandingKernels()) {
        const std::vector<uint32_t> code = withMaximalReconvergence(kernel->code);
        EXPECT_TRUE(std::equal(code.begin(), code.begin() + 5, kernel->code.begin())) << "header";
        const auto before = instructionsOf(kernel->code);
        auto after = instructionsOf(code);
        EXPECT_TRUE(std::ranges::is_sorted(after, {}, [](const auto& words) { return sectionOf(opcodeOf(words)); })) << kernel->name;
        const auto entry = std::ranges::find(before, 15u, opcodeOf);
        const std::vector<uint32_t> mode{3u << 16u | 16u, (*entry)[2], 6023};
        std::vector<uint32_t> extension{9u << 16u | 10u};
        for (const char* part : {"SPV_", "KHR_", "maxi", "mal_", "reco", "nver", "genc", "e\0\0\0"})
            extension.push_back(static_cast<uint32_t>(part[0] | part[1] << 8 | part[2] << 16 | part[3] << 24));
        for (const auto& added : {mode, extension}) {
            EXPECT_EQ(std::ranges::count(after, added), 1) << kernel->name;
            std::erase(after, added);
        }
        EXPECT_EQ(after, before) << kernel->name;
        EXPECT_EQ(withMaximalReconvergence(code), code) << "asked for twice";
    }
}

}  // namespace
}  // namespace splat::gpu
