#pragma once

#include <cstdint>

#include <splatwright/gpu/buffer.h>
#include <splatwright/shared/primitives.h>

namespace splat::primitives {

/// One u32 on the GPU: an element of a buffer of words, at any index regardless of the device's offset alignment.
struct Word {
    gpu::BufferSlice buffer;
    uint32_t index = 0;  ///< in words from the slice's start

    /// The buffer as kernels bind it: raw words.
    gpu::BufferSlice words() const { return {buffer.buffer, buffer.offset, buffer.bytes, 0}; }
};

/// Number of items of a call: known to the host, or a word on the GPU that the host never reads.
struct Count {
    uint32_t atMost = 0;  ///< the number, or the capacity if there is a word; larger words are clamped to it
    Word word{};          ///< empty: the host's number is used

    bool onGpu() const { return static_cast<bool>(word.buffer); }
    /// Arguments for kernels: a buffer (any buffer if the host knows the number) and the index in it.
    gpu::BufferSlice words(const gpu::BufferSlice& otherwise) const { return onGpu() ? word.words() : Word{otherwise}.words(); }
    uint32_t index() const { return onGpu() ? word.index : shared::kCountOnHost; }
};

}  // namespace splat::primitives
