#include <splatwright/primitives/forward_progress.h>

#include <fmt/format.h>

#include <splatwright/gpu/commands.h>
#include "kernels/await_groups.h"

namespace splat::primitives {

namespace {

constexpr const char* kName = "'forward-progress'";

}  // namespace

bool testForwardProgress(gpu::Device& device, uint32_t polls, uint32_t groups) {
    const gpu::Buffer words = device.buffer<uint32_t>("forward progress", groups + 1);
    device.run("forward progress", [&](gpu::Commands& c) {
        c.fill(words, 0);
        c.dispatchGroups(kernels::await_groups{.words = words, .polls = polls}, groups);
    });
    const auto found = device.download<uint32_t>(words, groups + 1);
    return found.front() == 0 && found.back() != 0;
}

ForwardProgress forwardProgress(gpu::Device& device) {
    if (!device.has(gpu::Feature::forwardProgress)) return {false, "switched off, or not of the device's driver"};
    if (gpu::driverMakesProgress(device.driverId())) return {true, "known of the device's driver"};
    const auto passed = device.known<bool>("self test of forward progress", [&] { return testForwardProgress(device); });
    return {*passed, *passed ? "passed a self test" : "failed a self test"};
}

std::string missingForwardProgress(gpu::Device& device) { return forwardProgress(device).present ? "" : kName; }

}  // namespace splat::primitives
