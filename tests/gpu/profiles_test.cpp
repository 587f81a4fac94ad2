// Profiles: a device behaves like one of a class, as far as it can, and says what it cannot.
#include <splatwright/gpu/profiles.h>

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/device.h>
#include <splatwright/gpu/kernel_needs.h>
#include <splatwright/gpu/pipelines.h>
#include "kernels/all.h"
#include "kernels/scan_write_portable_u64.h"
#include "kernels/scan_write_portable_u64_small.h"
#include "kernels/sort_scatter_portable8.h"
#include "support/test_device.h"

namespace splat::gpu {

std::string_view profileData();

namespace {

using Strings = std::vector<std::string>;

/// A device that is better than those of all profiles, with subgroups from 4 to 128 lanes.
Probe bestProbe() {
    Probe p;
    for (const LimitRow& limit : limitTable()) limit.set(p, limit.leastIsBest ? 1 : UINT32_MAX);
    p.properties11.subgroupSize = 32;
    p.subgroupSizes.minSubgroupSize = 4;
    p.subgroupSizes.maxSubgroupSize = 128;
    p.subgroupSizes.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
    return p;
}

DeviceOptions optionsOf(const std::string& profile) {
    DeviceOptions options = testDeviceOptions();
    options.profile = profile;
    return options;
}

TEST(Profiles, NameOnlyLimitsThatThereAre) {
    Strings known{"subgroup_size", "smallest_subgroup", "largest_subgroup"};
    for (const LimitRow& limit : limitTable()) known.emplace_back(limit.name);
    for (const Profile& profile : profileTable()) {
        for (const auto& [name, value] : profile.limits) EXPECT_TRUE(std::ranges::count(known, name) == 1) << profile.name << ": " << name;
    }
}

TEST(Profiles, OfClassesHaveASourceForEveryFigure) {
    const auto data = nlohmann::json::parse(profileData());
    for (const auto& row : data["profiles"]) {
        if (!row.contains("class")) continue;
        EXPECT_TRUE(row["proven"].is_string()) << row["name"];
        for (const auto& [name, limit] : row["limits"].items()) EXPECT_NE(limit[1], "") << row["name"] << ": " << name;
        for (const auto& [name, source] : row["without"].items()) EXPECT_NE(source, "") << row["name"] << ": " << name;
    }
}

TEST(Profiles, ReduceABetterDeviceToTheirLimits) {
    for (const Profile& profile : profileTable()) {
        Probe probe = bestProbe();
        restrict(probe, profile);
        for (const LimitRow& limit : limitTable()) {
            const auto wanted = profile.limits.find(limit.name);
            const uint64_t unchanged = limit.get(bestProbe());
            EXPECT_EQ(limit.get(probe), wanted == profile.limits.end() ? unchanged : wanted->second) << profile.name << ": " << limit.name;
        }
    }
}

TEST(Profiles, LeaveALesserDeviceAsItIs) {
    const Profile& profile = profileByName("nvidia");
    Probe probe = bestProbe();
    for (const LimitRow& limit : limitTable()) limit.set(probe, limit.leastIsBest ? 256 : 1);
    restrict(probe, profile);
    for (const LimitRow& limit : limitTable()) EXPECT_EQ(limit.get(probe), limit.leastIsBest ? 256u : 1u) << limit.name;
    const Strings unproven = notProven(probe, profile);
    EXPECT_EQ(std::ranges::count(unproven, "shared_memory_bytes 49152"), 1);
    EXPECT_EQ(std::ranges::count(unproven, "storage_buffer_alignment 16"), 1);
}

struct SubgroupCase {
    const char* profile;
    uint32_t smallest, largest;  ///< of the device
    uint32_t own, from, to;      ///< expected; 0: none can be pinned
    Strings notProven;
};

TEST(Profiles, OfferTheSubgroupSizesThatClassAndDeviceShare) {
    for (const SubgroupCase& c : {
             SubgroupCase{"intel-xe", 4, 128, 32, 8, 32, {}},
             SubgroupCase{"intel-xe", 8, 8, 8, 8, 8, {"subgroups of 16 lanes", "subgroups of 32 lanes"}},
             SubgroupCase{"amd-rdna", 32, 32, 32, 32, 32, {"subgroups of 64 lanes"}},
             SubgroupCase{"mali-g7xx", 32, 32, 0, 0, 0, {"subgroups of 16 lanes"}},
             SubgroupCase{"moltenvk", 8, 8, 32, 8, 8, {}},  // its kernels have no subgroup operations
         }) {
        Probe probe = bestProbe();
        probe.subgroupSizes.minSubgroupSize = c.smallest;
        probe.subgroupSizes.maxSubgroupSize = c.largest;
        Strings lanes = notProven(probe, profileByName(c.profile));
        std::erase_if(lanes, [](const std::string& what) { return what.find("lanes") == std::string::npos; });
        EXPECT_EQ(lanes, c.notProven) << c.profile;
        restrict(probe, profileByName(c.profile));
        EXPECT_EQ(probe.subgroupSizes.requiredSubgroupSizeStages != 0, c.own != 0) << c.profile;
        if (c.own == 0) continue;
        EXPECT_EQ(probe.properties11.subgroupSize, c.own) << c.profile;
        EXPECT_EQ(probe.subgroupSizes.minSubgroupSize, c.from) << c.profile;
        EXPECT_EQ(probe.subgroupSizes.maxSubgroupSize, c.to) << c.profile;
    }
}

TEST(Profiles, BareIsNoBetterThanAnyClassThatCanBeUsed) {
    const Profile& bare = profileByName("bare");
    EXPECT_EQ(bare.without.size(), featureTable().size());
    for (const LimitRow& limit : limitTable()) {
        const uint64_t least = bare.limits.find(limit.name)->second;
        for (const Profile& profile : profileTable()) {
            const auto found = profile.limits.find(limit.name);
            if (profile.name == "rpi5" || found == profile.limits.end()) continue;
            EXPECT_TRUE(limit.leastIsBest ? found->second <= least : found->second >= least) << profile.name << ": " << limit.name;
        }
    }
}

TEST(Profiles, MakeDevicesWithoutTheirClasssMissingFeatures) {
    for (const Profile& profile : profileTable()) {
        if (profile.name == "rpi5") continue;
        const Device device(optionsOf(profile.name));
        EXPECT_EQ(device.profile(), profile.name);
        for (const Feature missing : profile.without) EXPECT_FALSE(device.has(missing)) << profile.name;
        const auto bytes = profile.limits.find("shared_memory_bytes");
        if (bytes == profile.limits.end()) continue;
        EXPECT_LE(device.limits().maxComputeSharedMemorySize, bytes->second) << profile.name;
    }
}

TEST(Profiles, SayWhyAClassCannotBeUsed) {
    try {
        const Device device(optionsOf("rpi5"));
        FAIL() << "kernels bind more buffers than there are";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("8 storage buffers per kernel, expected at least 31"), std::string::npos) << e.what();
    }
}

TEST(Profiles, AnUnknownOneIsRefusedWithThoseThatThereAre) {
    try {
        const Device device(optionsOf("voodoo2"));
        FAIL() << "accepted";
    } catch (const InputError& e) {
        for (const char* word : {"voodoo2", "mali-g7xx", "moltenvk"})
            EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
}

// ---- Kernels and groupshared memory.

constexpr uint32_t kFloor = 16384;

/// Variants of primitives and of the backward pass; others take their place where they do not fit.
constexpr std::string_view kReplaced[] = {"scan_lookback",
                                          "scan_lookback_u64",
                                          "compact_lookback",
                                          "sort_onesweep256x16",
                                          "sort_onesweep256x16_u16",
                                          "sort_onesweep256x20",
                                          "sort_onesweep256x20_u16",
                                          "sort_scatter_ballot256x16",
                                          "sort_scatter_portable16",
                                          "sort_scatter_portable16_u16",
                                          "sort_scatter_ballot256x16_u16",
                                          "blend_backward_subtile",
                                          "blend_backward_subtile_fixed",
                                          "count_additions_subtile"};

TEST(SmallKernels, TakeThePlaceOfAllThatNeedMoreThanTheLeastDeviceHas) {
    size_t small = 0;
    for (const KernelInfo* kernel : kernels::all()) {
        if (kernel->groupsharedBytes <= kFloor) {
            EXPECT_EQ(kernel->small, nullptr) << kernel->name << " fits";
        } else if (kernel->small) {
            EXPECT_LE(kernel->small->groupsharedBytes, kFloor) << kernel->name;
            ++small;
        } else {
            EXPECT_EQ(std::ranges::count(kReplaced, std::string_view(kernel->name)), 1) << kernel->name << " has no small variant";
        }
    }
    EXPECT_EQ(small, 8u);
}

TEST(SmallKernels, BindWhatTheOthersBind) {
    for (const KernelInfo* kernel : kernels::all()) {
        if (!kernel->small) continue;
        const KernelInfo& small = *kernel->small;
        EXPECT_EQ(std::string(kernel->name) + "_small", small.name);
        EXPECT_EQ(kernel->pushBytes, small.pushBytes) << kernel->name;
        EXPECT_TRUE(std::ranges::equal(kernel->specializationIds, small.specializationIds)) << kernel->name;
        EXPECT_TRUE(std::ranges::equal(kernel->bindings, small.bindings, [](const KernelBinding& a, const KernelBinding& b) {
            return std::string_view(a.name) == b.name && a.binding == b.binding && a.stride == b.stride && a.count == b.count;
        })) << kernel->name;
    }
}

TEST(SmallKernels, AreForDevicesThatCannotRunTheOthers) {
    const Device little(optionsOf("mali-g7xx"));
    EXPECT_EQ(&little.fitting(kernels::scan_write_portable_u64::info()), &kernels::scan_write_portable_u64_small::info());
    DeviceOptions options = testDeviceOptions();
    options.profile = "moltenvk";
    const Device enough(options);
    EXPECT_EQ(&enough.fitting(kernels::scan_write_portable_u64::info()), &kernels::scan_write_portable_u64::info());
}

TEST(SmallKernels, AreWhatAPipelineIsMadeOf) {
    Device device(optionsOf("mali-g7xx"));
    const Pipeline both[] = {device.pipeline({.info = &kernels::scan_write_portable_u64::info()}),
                             device.pipeline({.info = &kernels::scan_write_portable_u64_small::info()})};
    EXPECT_EQ(both[0].pipeline, both[1].pipeline);
}

TEST(SmallKernels, OthersAreRefusedByTheirSize) {
    Device device(optionsOf("mali-g7xx"));
    for (const KernelInfo* kernel : kernels::all()) {
        if (kernel->groupsharedBytes <= kFloor || kernel->small) continue;
        EXPECT_FALSE(device.runs(*kernel)) << kernel->name;
    }
    EXPECT_EQ(missingFor(device, kernels::sort_scatter_portable8::info()), "");
}

}  // namespace
}  // namespace splat::gpu
