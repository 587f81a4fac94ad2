#pragma once

#include <cstdint>
#include <string>

#include <volk.h>

#include "core/error.h"

namespace splat::gpu {

class Device;

enum class Residence {
    device,    ///< memory of the GPU; reached by copies
    streamed,  ///< memory of the GPU that the transfer queue fills and the compute queue reads
    readback,  ///< mapped, cached where possible: the GPU writes, the host reads
    staging,   ///< mapped: the host writes, the GPU reads
};

/// A part of a buffer, as kernels bind it. Empty slices are refused at dispatch with the kernel's and the member's name.
struct BufferSlice {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0;  ///< bytes; a multiple of minStorageBufferOffsetAlignment where a kernel binds it
    VkDeviceSize bytes = 0;
    uint32_t stride = 0;  ///< bytes an element; 0: raw words, fits any kernel

    explicit operator bool() const { return buffer != VK_NULL_HANDLE; }
};

/// A named storage buffer with memory of its own. Move-only; the memory is given back when it goes.
class Buffer {
public:
    Buffer() = default;
    Buffer(Device& device, std::string name, VkDeviceSize bytes, uint32_t stride, Residence residence);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    VkDeviceSize bytes() const { return bytes_; }
    const std::string& name() const { return name_; }
    BufferSlice slice(VkDeviceSize offset, VkDeviceSize bytes) const;
    /// The same bytes for kernels that see them as words.
    BufferSlice words() const { return {buffer_, 0, bytes_, 0}; }
    operator BufferSlice() const { return {buffer_, 0, bytes_, stride_}; }  // NOLINT: kernels take buffers as they are
    explicit operator bool() const { return buffer_ != VK_NULL_HANDLE; }

    /// The host's view of a mapped buffer.
    template <class T>
    T* mapped() const {
        CHECK(mapped_ != nullptr, "buffer '{}' is not mapped", name_);
        return static_cast<T*>(mapped_);
    }

private:
    void release();

    Device* device_ = nullptr;
    std::string name_;
    VkDeviceSize bytes_ = 0;
    VkDeviceSize allocated_ = 0;
    uint32_t stride_ = 0;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    void* mapped_ = nullptr;
    bool onDevice_ = false;
};

}  // namespace splat::gpu
