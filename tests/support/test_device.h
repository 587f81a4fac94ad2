#pragma once

#include <string>
#include <vector>

#include <splatwright/gpu/device.h>

namespace splat {

/// The device that tests run on, with validation; made on first use. The environment chooses: SPLAT_DEVICE (index or name), SPLAT_DISABLE
/// (comma-separated features, or `all` optional ones) and SPLAT_PROFILE (gpu/profiles.h), so that one suite covers every device and every
/// fallback, and SPLAT_VALIDATE:
/// 0 for machines without validation layers, `core` for less than synchronization validation.
gpu::Device& testDevice();

/// Each feature's name, and `all` that are optional: what a test of fallbacks switches off in turn.
std::vector<std::string> featuresOrAll();

/// A device of its own without these features, or without `all` that are optional.
gpu::DeviceOptions testDeviceOptions(std::vector<std::string> disabled = {});

/// A device of its own with 16 KiB of groupshared memory, which runs the small kernels.
gpu::DeviceOptions optionsOfLittleMemory();

}  // namespace splat
