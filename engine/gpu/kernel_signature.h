#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace splat::gpu {

/// All of a shader's interface that the host's code depends on, as slangc's reflection has it: group and subgroup size, buffers with their elements' layout,
/// constants, specialization constants; each by what messages call it.
std::map<std::string, std::string> kernelSignature(const nlohmann::json& reflection);

/// What of the new signature does not fit the old one; empty when the new code can take the old one's place. A buffer that is not used any
/// more does no harm.
std::string misfit(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after);

}  // namespace splat::gpu
