#pragma once

#include <cstdint>

#include "gpu/buffer.h"
#include "shared/primitives.h"

namespace splat::primitives {

/// One u32 that lies on the GPU: an element of a buffer of words. Any element may be named, whatever the device's offset alignment is.
struct Word {
    gpu::BufferSlice buffer;
    uint32_t index = 0;  ///< in words from the slice's start

    /// The buffer as kernels bind it: words, whatever else it holds.
    gpu::BufferSlice words() const { return {buffer.buffer, buffer.offset, buffer.bytes, 0}; }
};

/// How many things a call works on: a number the host knows, or a word on the GPU that the host never reads.
struct Count {
    uint32_t atMost = 0;  ///< exactly so many, or the capacity when there is a word; a larger word is taken as `atMost`
    Word word{};          ///< empty: the host's number counts

    bool onGpu() const { return static_cast<bool>(word.buffer); }
    /// What kernels take: a buffer (any other one where the host knows the number) and the index in it.
    gpu::BufferSlice words(const gpu::BufferSlice& otherwise) const { return onGpu() ? word.words() : otherwise; }
    uint32_t index() const { return onGpu() ? word.index : shared::kCountOnHost; }
};

}  // namespace splat::primitives
