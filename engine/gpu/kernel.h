#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <glm/glm.hpp>

#include <splatwright/gpu/buffer.h>

namespace splat::gpu {

inline constexpr size_t kMaxKernelBuffers = 31;  // the storage-buffer limit of common devices (MoltenVK)
inline constexpr size_t kMaxPushBytes = 128;     // what Vulkan guarantees
inline constexpr size_t kMaxSpecialization = 6;

struct KernelBinding {
    const char* name;
    uint32_t binding;
    bool written;
    uint32_t stride;     ///< bytes per element
    uint32_t count = 1;  ///< of an array of buffers
};

/// A kernel's interface from slangc's reflection: one generated static object per kernel.
struct KernelInfo {
    const char* name;
    const char* slang;  ///< compiler version
    std::span<const uint32_t> code;
    std::span<const uint32_t> capabilities;
    std::span<const KernelBinding> bindings;
    std::span<const uint32_t> specializationIds;
    std::array<uint32_t, 3> groupSize;
    uint32_t subgroupSize;  ///< size that the kernel is written for; 0: any, or no subgroup operations
    uint32_t pushBytes;
    uint32_t groupsharedBytes;  ///< at most, with any specialization
    const KernelInfo* small;    ///< does the same with less groupshared memory; null: none
};

/// A kernel's generated struct, flattened in the order of its KernelInfo; the buffers of an array follow one another.
struct KernelArguments {
    const KernelInfo* info = nullptr;
    std::array<BufferSlice, kMaxKernelBuffers> buffers{};
    std::array<std::byte, kMaxPushBytes> push{};
    std::array<uint32_t, kMaxSpecialization> specialization{};
};

}  // namespace splat::gpu
