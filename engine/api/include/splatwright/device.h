#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <splatwright/error.h>

/// Vulkan devices: which ones there are, and the one that renders and trains.
///
///     splatwright::Device device;                           // the first discrete GPU, or else the first device that can be used
///     splatwright::Device second({.device = "1"});          // by index in listDevices()
///     splatwright::Device named({.device = "H200"});        // by a part of the name
///     splatwright::Device processor({.software = true});    // Vulkan on the CPU: slow, but the same results wherever it runs
namespace splatwright {

/// A device as `splatwright info` lists it.
struct DeviceInfo {
    std::string name;
    std::string type;        ///< "discrete", "integrated", "virtual", "cpu" or "other"
    std::string driver;      ///< its version
    uint64_t memory = 0;     ///< bytes of its largest memory of its own
    std::string unsuitable;  ///< why it cannot be used; empty: it can
};

/// All devices of this machine, also those that cannot be used. Throws Error if there is no Vulkan loader or driver.
std::vector<DeviceInfo> listDevices();

struct DeviceOptions {
    std::string device;                 ///< index in listDevices(), or a part of the name (case matters); empty: the best one
    bool software = false;              ///< the first device of type "cpu"; only without `device`
    uint64_t memoryLimit = 0;           ///< bytes of device memory that may be used; 0: all that the driver grants
    std::vector<std::string> disabled;  ///< optional features to do without, by their names in `splatwright info`
    std::string profile;    ///< class of devices whose limits and features to keep to, as of `splatwright --profile`; empty: none
    bool validate = false;  ///< with Vulkan's validation layers, which log mistakes of the library and take time
};

/// A device in use. Renderer and Training refer to it, so it must outlive them; threads may share it.
class Device {
public:
    /// Throws InputError for an unknown device, feature or profile, or for `device` with `software`; Error if no device can be used, also within the
    /// profile, or the validation layers are not installed.
    explicit Device(const DeviceOptions& options = {});
    ~Device();
    Device(Device&& other) noexcept;
    Device& operator=(Device&& other) noexcept;

    const std::string& name() const;
    size_t index() const;          ///< in listDevices()
    bool isSoftware() const;       ///< whether it is the CPU
    uint64_t memory() const;       ///< bytes that may be used in all: of its largest memory, or DeviceOptions::memoryLimit
    uint64_t memoryInUse() const;  ///< bytes, of everything on this Device
    uint64_t memoryPeak() const;   ///< bytes, the most so far
    /// What this device cannot prove of DeviceOptions::profile's class: features and subgroup sizes that it lacks, and limits in which it is worse.
    const std::vector<std::string>& notProven() const;

private:
    friend struct DeviceAccess;  // of the library
    struct Impl;
    explicit Device(std::unique_ptr<Impl> impl);

    std::unique_ptr<Impl> impl_;
};

}  // namespace splatwright
