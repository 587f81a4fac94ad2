#pragma once

#include <filesystem>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/gpu/device.h>

namespace splat::app {

/// What `info` found, and times of sorts and scans.
nlohmann::json withTimings(gpu::Device& device, nlohmann::json info);

/// Writes a file that a user can attach to a report: the build, the machine and what was found. It names neither the user nor a folder of theirs: the home
/// folder is "~" in it. Throws InputError if it cannot be written.
void writeInfoReport(const std::filesystem::path& file, const nlohmann::json& found);

}  // namespace splat::app
