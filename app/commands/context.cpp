#include "commands/context.h"

#include <splatwright/gpu/capture.h>

namespace splat::app {

gpu::Device& Context::device() {
    if (device_) return *device_;
    if (options_.capture > 0) gpu::Capture::prepare();
    gpu::DeviceOptions options{.device = options_.device,
                               .disabled = options_.disabled,
                               .profile = options_.profile,
                               .validation = options_.validate ? gpu::Validation::kSynchronization : gpu::Validation::kNone,
                               .memoryLimit = VkDeviceSize{options_.memoryLimit} << 20u,
                               .bindingLimit = options_.bindingLimit,
                               .loseAtSubmission = options_.loseDeviceAt,
                               .loseSurfaceAt = options_.loseSurfaceAt};
    if (prepare_) prepare_(options);
    device_ = std::make_unique<gpu::Device>(options);
    return *device_;
}

const primitives::RadixSort& Context::sort() {
    if (!sort_) sort_ = std::make_unique<primitives::RadixSort>(device());
    return *sort_;
}

Progress::Style Context::progressStyle() const { return options_.quiet ? Progress::Style::silent : Progress::styleOfStandardError(); }

}  // namespace splat::app
