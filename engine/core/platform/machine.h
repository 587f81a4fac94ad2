#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace splat::platform {

int64_t thisProcess();
/// When a running process started, in units of the system; distinguishes it from a later process with the same id. None if no process with this id is running.
std::optional<uint64_t> startOfProcess(int64_t id);

std::string hostName();
/// Identifies the machine's current uptime.
std::string bootId();
std::string processorName();
/// "Linux 6.1.0".
std::string systemName();
/// Bytes of main memory.
uint64_t physicalMemory();
/// Whether programs may use CUDA: NVIDIA's driver is there.
bool hasCudaDriver();

}  // namespace splat::platform
