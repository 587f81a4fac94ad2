#pragma once

#include <cstdint>
#include <memory>
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

/// Memory of a device, counted there while it lives.
class Memory {
public:
    /// `name` says whose it is where there is too little.
    Memory(Device& device, const std::string& name, const VkMemoryRequirements& needs, Residence residence);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    VkDeviceMemory handle() const { return memory_; }
    void* mapped() const { return mapped_; }

private:
    Device& device_;
    VkDeviceSize bytes_;
    bool onDevice_;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    void* mapped_ = nullptr;
};

/// A named storage buffer, with memory of its own or in another's. Move-only; the memory is given back when the last in it goes.
class Buffer {
public:
    Buffer() = default;
    Buffer(Device& device, std::string name, VkDeviceSize bytes, uint32_t stride, Residence residence);
    /// In the memory of another buffer of the GPU, from an offset of it on. Buffers that lie over one another are for values whose lives do
    /// not meet; commands order their uses as if they were one.
    Buffer(const Buffer& whole, VkDeviceSize offset, std::string name, VkDeviceSize bytes, uint32_t stride);
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
        CHECK(memory_ && memory_->mapped(), "buffer '{}' is not mapped", name_);
        return static_cast<T*>(memory_->mapped());
    }

private:
    VkMemoryRequirements create(Residence residence);
    void bind(VkDeviceSize offset);
    void release();

    Device* device_ = nullptr;
    std::string name_;
    VkDeviceSize bytes_ = 0;
    uint32_t stride_ = 0;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    std::shared_ptr<Memory> memory_;
};

/// Hands out the memory of a buffer, one part after the other.
class Parts {
public:
    explicit Parts(const Buffer& whole) : whole_(whole) {}

    template <class T>
    Buffer take(std::string name, size_t count) {
        const VkDeviceSize offset = used_;
        used_ += bytes<T>(count);
        return Buffer(whole_, offset, std::move(name), count * sizeof(T), sizeof(T));
    }
    /// What a part of so many takes.
    template <class T>
    static VkDeviceSize bytes(size_t count) {
        return (count * sizeof(T) + kAlignment) / kAlignment * kAlignment;  // never 0
    }

private:
    static constexpr VkDeviceSize kAlignment = 256;

    const Buffer& whole_;
    VkDeviceSize used_ = 0;
};

}  // namespace splat::gpu
