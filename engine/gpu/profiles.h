#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/gpu/features.h>

namespace splat::gpu {

/// A limit of devices, by its name in `info` and in profiles.
struct LimitRow {
    std::string_view name;
    uint64_t (*get)(const Probe&);
    void (*set)(Probe&, uint64_t);
    bool leastIsBest = false;  ///< an alignment
};
std::span<const LimitRow> limitTable();

/// A class of devices that a better device can behave like: a row of profiles.json, which says where each figure is from.
struct Profile {
    std::string name;
    std::string deviceClass;  ///< empty: for tests of fallbacks
    std::map<std::string, uint64_t, std::less<>> limits;
    std::set<Feature> without;
};
const std::vector<Profile>& profileTable();

/// Throws InputError listing the known names.
const Profile& profileByName(std::string_view name);

/// Reduces what a device offers to the profile's limits and subgroup sizes. A device without any of these sizes offers none that can be pinned.
void restrict(Probe& probe, const Profile& profile);

/// What a device cannot prove of the profile's class: features and subgroup sizes that it lacks, and limits in which it is worse.
std::vector<std::string> notProven(const Probe& probe, const Profile& profile);

}  // namespace splat::gpu
