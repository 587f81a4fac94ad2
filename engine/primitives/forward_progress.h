#pragma once

#include <cstdint>
#include <string>

#include <splatwright/gpu/device.h>

namespace splat::primitives {

/// Whether groups that run go on while others wait for them, for `info`.
struct ForwardProgress {
    bool present = false;
    std::string reason;
};

/// What is known of the device's driver, else the result of a self test, which is kept; no if the feature is switched off.
ForwardProgress forwardProgress(gpu::Device& device);

/// "'forward-progress'" if the device has none; else empty.
std::string missingForwardProgress(gpu::Device& device);

/// Lets each of many groups wait for the one before, whose read in vain is repeated up to `polls` times. Returns whether none waited in vain; one that
/// did ends the wait of all. By default there are more groups than run at once on any device.
bool testForwardProgress(gpu::Device& device, uint32_t polls = 1u << 20u, uint32_t groups = 4096);

}  // namespace splat::primitives
