#pragma once

#include <malloc.h>
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace splat::test {

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

}  // namespace splat::test
