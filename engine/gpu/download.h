#pragma once

#include <cstddef>
#include <span>

#include <splatwright/gpu/buffer.h>

namespace splat::gpu {

/// A slice to copy to the host.
struct Download {
    BufferSlice from;
    std::span<std::byte> bytes;
};

/// Copies all slices in one submission per 64 MiB, and waits.
void download(Device& device, std::span<const Download> parts);

}  // namespace splat::gpu
