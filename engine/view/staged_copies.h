#pragma once

#include <cstring>
#include <vector>

#include <splatwright/gpu/commands.h>

namespace splat {

/// Values that the host writes one after the other into one staging buffer, and the device copies to where they belong.
class StagedCopies {
public:
    /// Values of whole words.
    template <class T>
    void add(gpu::BufferSlice to, const T* values, size_t count) {
        static_assert(sizeof(T) % sizeof(uint32_t) == 0);
        const size_t at = words_.size(), words = count * sizeof(T) / sizeof(uint32_t);
        words_.resize(at + words);
        std::memcpy(&words_[at], values, count * sizeof(T));
        copies_.push_back({at, words, to});
    }
    /// Enlarges the staging buffer if need be; it must not be in use, and the recording uses it.
    void record(gpu::Device& device, gpu::Commands& commands, gpu::Buffer& staging) const;

private:
    struct Copy {
        size_t first, words;  // in words_
        gpu::BufferSlice to;
    };
    std::vector<uint32_t> words_;
    std::vector<Copy> copies_;
};

}  // namespace splat
