#include <splatwright/device.h>

#include <algorithm>

#include <splatwright/api/device_access.h>
#include <splatwright/api/translate.h>
#include <splatwright/core/error.h>

namespace splatwright {

namespace {

namespace gpu = splat::gpu;

std::vector<gpu::DeviceDescription> descriptions() {
    const gpu::Instance instance(gpu::Validation::kNone);
    return gpu::describeDevices(instance);
}

gpu::DeviceOptions engineOptions(const DeviceOptions& options) {
    if (options.software && !options.device.empty())
        throw splat::InputError("device: found '{}' with `software`, expected one of them", options.device);
    gpu::DeviceOptions engine{.device = options.device,
                              .disabled = options.disabled,
                              .profile = options.profile,
                              .validation = options.validate ? gpu::Validation::kSynchronization : gpu::Validation::kNone,
                              .memoryLimit = options.memoryLimit};
    if (options.software) {
        const auto devices = descriptions();
        const auto found = std::ranges::find_if(devices, [](const auto& d) { return d.type == "cpu" && d.unsuitable.empty(); });
        if (found == devices.end()) throw splat::Error("software Vulkan: not found, expected a device of type cpu (Mesa's lavapipe)");
        engine.device = std::to_string(found - devices.begin());
    }
    return engine;
}

}  // namespace

std::vector<DeviceInfo> listDevices() {
    return translated([] {
        std::vector<DeviceInfo> infos;
        for (const gpu::DeviceDescription& d : descriptions()) infos.push_back({d.name, d.type, d.driver, d.memory, d.unsuitable});
        return infos;
    });
}

Device DeviceAccess::make(const gpu::DeviceOptions& options) {
    return translated([&] { return Device(std::make_unique<Device::Impl>(options)); });
}

Device::Device(const DeviceOptions& options) : Device(translated([&] { return std::make_unique<Impl>(engineOptions(options)); })) {}
Device::Device(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Device::~Device() = default;
Device::Device(Device&& other) noexcept = default;
Device& Device::operator=(Device&& other) noexcept = default;

const std::string& Device::name() const { return impl_->device.name(); }
size_t Device::index() const { return impl_->device.index(); }
bool Device::isSoftware() const { return impl_->device.isSoftware(); }
uint64_t Device::memory() const { return impl_->device.memoryTotal(); }
uint64_t Device::memoryInUse() const { return static_cast<uint64_t>(impl_->device.memoryInUse()); }
const std::vector<std::string>& Device::notProven() const { return impl_->device.notProven(); }
uint64_t Device::memoryPeak() const { return static_cast<uint64_t>(impl_->device.memoryPeak()); }

}  // namespace splatwright
