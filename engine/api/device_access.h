#pragma once

#include <splatwright/device.h>
#include <splatwright/gpu/device.h>

namespace splatwright {

struct Device::Impl {
    explicit Impl(const splat::gpu::DeviceOptions& options) : device(options) {}

    splat::gpu::Device device;
};

/// The engine's device within a public one.
struct DeviceAccess {
    static splat::gpu::Device& engine(Device& device) { return device.impl_->device; }
    /// A device with options that only tests have.
    static Device make(const splat::gpu::DeviceOptions& options);
};

}  // namespace splatwright
