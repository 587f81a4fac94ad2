#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace splat::gpu {

/// The shader interface that generated host code depends on, from slangc's reflection: group and subgroup size, buffers with element layout,
/// constants and specialization constants. Keys are names for messages.
std::map<std::string, std::string> kernelSignature(const nlohmann::json& reflection);

/// The first difference that keeps the new code from replacing the old; empty if it can. A buffer that is no longer used does not matter.
std::string misfit(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after);

}  // namespace splat::gpu
