#include "commands/bench/machine.h"

#include <thread>

#include <fmt/format.h>

#include <splatwright/core/names.h>
#include <splatwright/core/platform/machine.h>

namespace splat::app {

std::string machineText() {
    return fmt::format("{}, {} threads, {}", printable(platform::processorName()), std::thread::hardware_concurrency(),
                       platform::systemName());
}

}  // namespace splat::app
