#include <splatwright/gpu/profiles.h>

#include <algorithm>
#include <array>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/gpu/check.h>

namespace splat::gpu {

std::string_view profileData();  // profiles.json

namespace {

using nlohmann::json;

template <uint32_t VkPhysicalDeviceLimits::*limit>
constexpr LimitRow row(std::string_view name) {
    return {name, [](const Probe& p) { return uint64_t{p.properties.properties.limits.*limit}; },
            [](Probe& p, uint64_t value) { p.properties.properties.limits.*limit = static_cast<uint32_t>(value); }};
}

constexpr LimitRow kGroups{
    "groups", [](const Probe& p) { return uint64_t{p.properties.properties.limits.maxComputeWorkGroupCount[0]}; },
    [](Probe& p, uint64_t value) { p.properties.properties.limits.maxComputeWorkGroupCount[0] = static_cast<uint32_t>(value); }};
constexpr LimitRow kAlignment{
    "storage_buffer_alignment", [](const Probe& p) { return p.properties.properties.limits.minStorageBufferOffsetAlignment; },
    [](Probe& p, uint64_t value) { p.properties.properties.limits.minStorageBufferOffsetAlignment = value; }, true};

constexpr std::array<LimitRow, 7> kLimits{{
    kGroups,
    row<&VkPhysicalDeviceLimits::maxPushConstantsSize>("push_constant_bytes"),
    row<&VkPhysicalDeviceLimits::maxComputeSharedMemorySize>("shared_memory_bytes"),
    kAlignment,
    row<&VkPhysicalDeviceLimits::maxStorageBufferRange>("storage_buffer_bytes"),
    row<&VkPhysicalDeviceLimits::maxPerStageDescriptorStorageBuffers>("storage_buffers_per_kernel"),
    row<&VkPhysicalDeviceLimits::maxComputeWorkGroupInvocations>("threads_per_group"),
}};

/// Subgroup sizes of a class or a device.
struct Sizes {
    uint32_t own, smallest, largest;
};

/// None if the row says nothing of them, or its class cannot pin a size.
std::optional<Sizes> sizesOf(const Profile& profile) {
    const bool unused = profile.without.contains(Feature::subgroupOperations) || profile.without.contains(Feature::subgroupSizeControl);
    if (unused || !profile.limits.contains("subgroup_size")) return std::nullopt;
    const auto size = [&](std::string_view name) { return static_cast<uint32_t>(profile.limits.find(name)->second); };
    return Sizes{size("subgroup_size"), size("smallest_subgroup"), size("largest_subgroup")};
}

void restrictSubgroups(Probe& probe, const Sizes& wanted) {
    VkPhysicalDeviceSubgroupSizeControlProperties& found = probe.subgroupSizes;
    found.minSubgroupSize = std::max(found.minSubgroupSize, wanted.smallest);
    found.maxSubgroupSize = std::min(found.maxSubgroupSize, wanted.largest);
    if (found.minSubgroupSize > found.maxSubgroupSize) {
        found.requiredSubgroupSizeStages = 0;
        found.minSubgroupSize = found.maxSubgroupSize = 0;
    } else {
        probe.properties11.subgroupSize = std::clamp(wanted.own, found.minSubgroupSize, found.maxSubgroupSize);
    }
}

/// Of a class, sizes that a device cannot pin.
std::vector<uint32_t> sizesWithout(const Probe& probe, const Sizes& wanted) {
    const VkPhysicalDeviceSubgroupSizeControlProperties& found = probe.subgroupSizes;
    std::vector<uint32_t> sizes;
    for (uint32_t size = wanted.smallest; size <= wanted.largest; size *= 2) {
        if (size < found.minSubgroupSize || size > found.maxSubgroupSize) sizes.push_back(size);
    }
    return sizes;
}

Profile profileFrom(const json& object) {
    Profile profile{.name = object.at("name"), .deviceClass = object.value("class", ""), .limits = {}, .without = {}};
    for (const auto& [name, limit] : object.at("limits").items()) profile.limits[name] = limit.at(0).get<uint64_t>();
    for (const auto& [name, source] : object.at("without").items()) profile.without.insert(featureByName(name));
    return profile;
}

}  // namespace

std::span<const LimitRow> limitTable() { return kLimits; }

const std::vector<Profile>& profileTable() {
    static const std::vector<Profile> table = [] {
        std::vector<Profile> rows;
        const json data = parseJson(profileData(), "profiles.json");
        for (const json& object : data.at("profiles")) rows.push_back(profileFrom(object));
        return rows;
    }();
    return table;
}

const Profile& profileByName(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Profile& profile : profileTable()) {
        if (profile.name == name) return profile;
        known.push_back(profile.name);
    }
    throw InputError("`profile`: unknown profile '{}', expected one of {}", name, fmt::join(known, ", "));
}

void restrict(Probe& probe, const Profile& profile) {
    for (const LimitRow& limit : kLimits) {
        const auto wanted = profile.limits.find(limit.name);
        if (wanted == profile.limits.end()) continue;
        const uint64_t here = limit.get(probe);
        limit.set(probe, limit.leastIsBest ? std::max(here, wanted->second) : std::min(here, wanted->second));
    }
    if (const auto sizes = sizesOf(profile)) restrictSubgroups(probe, *sizes);
}

std::vector<std::string> notProven(const Probe& probe, const Profile& profile) {
    std::vector<std::string> found;
    if (profile.deviceClass.empty()) return found;
    for (const FeatureRow& feature : featureTable()) {
        if (!profile.without.contains(feature.feature) && !feature.present(probe)) found.emplace_back(feature.name);
    }
    for (const LimitRow& limit : kLimits) {
        const auto wanted = profile.limits.find(limit.name);
        if (wanted == profile.limits.end()) continue;
        const uint64_t here = limit.get(probe);
        if (limit.leastIsBest ? here > wanted->second : here < wanted->second)
            found.push_back(fmt::format("{} {}", limit.name, wanted->second));
    }
    if (const auto sizes = sizesOf(profile)) {
        for (const uint32_t size : sizesWithout(probe, *sizes)) found.push_back(fmt::format("subgroups of {} lanes", size));
    }
    return found;
}

}  // namespace splat::gpu
