#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <glm/glm.hpp>

#include "gpu/buffer.h"

namespace splat::gpu {

inline constexpr size_t kMaxKernelBuffers = 32;  // the storage-buffer limit of common devices
inline constexpr size_t kMaxPushBytes = 128;     // what Vulkan guarantees
inline constexpr size_t kMaxSpecialization = 4;

struct KernelBinding {
    const char* name;
    uint32_t binding;
    bool written;
    uint32_t stride;  ///< bytes an element
};

/// What slangc's reflection says about a kernel; one static object a kernel, generated.
struct KernelInfo {
    const char* name;
    const char* slang;  ///< compiler version
    std::span<const uint32_t> code;
    std::span<const uint32_t> capabilities;
    std::span<const KernelBinding> bindings;
    std::span<const uint32_t> specializationIds;
    std::array<uint32_t, 3> groupSize;
    uint32_t subgroupSize;  ///< that it is written for; 0: any, or it has no subgroup operations
    uint32_t pushBytes;
};

/// A kernel's generated struct, flattened in the order of its KernelInfo.
struct KernelArguments {
    const KernelInfo* info = nullptr;
    std::array<BufferSlice, kMaxKernelBuffers> buffers{};
    std::array<std::byte, kMaxPushBytes> push{};
    std::array<uint32_t, kMaxSpecialization> specialization{};
};

}  // namespace splat::gpu
