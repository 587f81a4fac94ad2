#include "commands/bench/machine.h"

#include <sys/utsname.h>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>

namespace splat::app {

std::string machineText() {
    utsname system{};
    uname(&system);
    std::string processor = system.machine;
    std::istringstream lines(mayExist("/proc/cpuinfo") ? readTextFile("/proc/cpuinfo") : "");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("model name")) processor = line.substr(line.find(':') + 2);
    }
    return fmt::format("{}, {} threads, {} {}", printable(processor), std::thread::hardware_concurrency(), system.sysname, system.release);
}

}  // namespace splat::app
