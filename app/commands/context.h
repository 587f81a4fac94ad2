#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <splatwright/core/log.h>
#include <splatwright/core/progress.h>
#include <splatwright/gpu/device.h>
#include <splatwright/primitives/radix_sort.h>

namespace splat::app {

/// Options that are accepted before or after any command.
struct GlobalOptions {
    std::string program;  ///< name as called
    std::string device;
    std::vector<std::string> disabled;
    std::string profile;
    bool validate = false;
    uint32_t capture = 0;        ///< step or frame for RenderDoc, counted from 1; 0: none
    uint32_t memoryLimit = 0;    ///< MiB of device memory; 0: no limit
    uint64_t loseDeviceAt = 0;   ///< for tests: submission at which the device is lost; 0: never
    uint64_t loseSurfaceAt = 0;  ///< for tests: as in DeviceOptions
    uint64_t bindingLimit = 0;   ///< for tests: as in DeviceOptions
    bool verbose = false;
    bool quiet = false;
};

/// Shared by all commands: the global options and the device, which is opened on first use so that errors in files are reported before a driver
/// starts.
class Context {
public:
    explicit Context(GlobalOptions options) : options_(std::move(options)) {}

    const GlobalOptions& options() const { return options_; }
    /// Sets a function that changes the device's options, for example for a window; call before the device is used.
    void prepareDevice(std::function<void(gpu::DeviceOptions&)> prepare) { prepare_ = std::move(prepare); }
    gpu::Device& device();
    const primitives::RadixSort& sort();
    Progress::Style progressStyle() const;
    /// Messages of the validation layers so far.
    uint64_t validationMessages() const { return device_ ? device_->validationMessages() : 0; }

private:
    GlobalOptions options_;
    std::function<void(gpu::DeviceOptions&)> prepare_;
    std::unique_ptr<gpu::Device> device_;
    std::unique_ptr<primitives::RadixSort> sort_;
};

}  // namespace splat::app
