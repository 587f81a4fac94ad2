#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/progress.h"
#include "gpu/device.h"
#include "primitives/radix_sort.h"

namespace splat::app {

/// What stands before or after any command.
struct GlobalOptions {
    std::string program;  ///< as it was called
    std::string device;
    std::vector<std::string> disabled;
    bool validate = false;
    uint32_t capture = 0;        ///< step or frame for RenderDoc, counted from 1; 0: none
    uint32_t memoryLimit = 0;    ///< MiB of device memory; 0: all there is
    uint64_t loseDeviceAt = 0;   ///< for tests: submission at which the device is lost; 0: never
    uint64_t loseSurfaceAt = 0;  ///< for tests: the window's, as DeviceOptions has it
    bool verbose = false;
    bool quiet = false;
};

/// What a command works with: the options for all commands and the device, opened when it is first needed, so that mistakes in files are
/// told before a driver is started.
class Context {
public:
    explicit Context(GlobalOptions options) : options_(std::move(options)) {}

    const GlobalOptions& options() const { return options_; }
    gpu::DeviceOptions deviceOptions() const;
    /// Changes what the device is made by, for a window say; before it is first needed.
    void prepareDevice(std::function<void(gpu::DeviceOptions&)> prepare) { prepare_ = std::move(prepare); }
    gpu::Device& device();
    const primitives::RadixSort& sort();
    Progress::Style progressStyle() const;
    /// Of the validation layers so far.
    uint64_t validationMessages() const { return device_ ? device_->validationMessages() : 0; }

private:
    GlobalOptions options_;
    std::function<void(gpu::DeviceOptions&)> prepare_;
    std::unique_ptr<gpu::Device> device_;
    std::unique_ptr<primitives::RadixSort> sort_;
};

}  // namespace splat::app
