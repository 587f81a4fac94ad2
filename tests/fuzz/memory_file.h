#pragma once

#include <sys/mman.h>
#include <unistd.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <splatwright/core/error.h>

namespace splat::fuzz {

/// A regular file in memory, so that a reader gets the input by a path and no disk is written.
class MemoryFile {
public:
    explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
        if (descriptor_ < 0) std::abort();
    }
    void put(const uint8_t* data, size_t size) const {
        if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    }
    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

/// Calls read(path) with the input as a file. An InputError is an answer; any other exception is a finding.
template <class Read>
int readInput(const uint8_t* data, size_t size, Read read) {
    static const MemoryFile file("input");
    file.put(data, size);
    try {
        read(file.path());
    } catch (const InputError&) {
    }
    return 0;
}

}  // namespace splat::fuzz
