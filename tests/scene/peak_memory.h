#pragma once

#include <algorithm>
#include <cstdint>

#ifdef _WIN32
#include <splatwright/core/platform/windows/api.h>
// After Windows' own header, whose types it has.
#include <psapi.h>
#else
#include <malloc.h>
#include <fstream>
#include <string>
#endif

namespace splat::test {

#ifdef _WIN32

/// Bytes by which the action raises the resident memory of this process at its highest. Windows keeps the highest mark: what stays below an earlier one
/// counts as nothing.
template <class Action>
uint64_t peakOf(Action action) {
    const auto now = [] {
        PROCESS_MEMORY_COUNTERS counters{};
        GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters));
        return counters;
    };
    const PROCESS_MEMORY_COUNTERS before = now();
    action();
    const uint64_t highest = now().PeakWorkingSetSize;
    return highest > before.PeakWorkingSetSize ? highest - before.WorkingSetSize : 0;
}

#else

/// A value of /proc/self/status in bytes.
inline uint64_t statusBytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        uint64_t kibibytes = 0;
        if (word == key + ":" && status >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

/// Bytes by which the action raises the resident memory of this process at its highest.
template <class Action>
uint64_t peakOf(Action action) {
    malloc_trim(0);                                 // or what earlier tests of the process have freed is used again and not seen
    std::ofstream("/proc/self/clear_refs") << "5";  // the highest mark starts again at what is resident now
    const uint64_t before = statusBytes("VmRSS");
    action();
    return std::max(statusBytes("VmHWM"), before) - before;
}

#endif

}  // namespace splat::test
