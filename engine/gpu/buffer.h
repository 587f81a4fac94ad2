#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <volk.h>

#include <splatwright/core/error.h>
#include <splatwright/gpu/memory.h>

namespace splat::gpu {

class Device;

/// A part of a buffer, as kernels bind it. A dispatch with an empty slice fails and names the kernel and the member.
struct BufferSlice {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0;  ///< bytes; a multiple of minStorageBufferOffsetAlignment if a kernel binds it
    VkDeviceSize bytes = 0;
    uint32_t stride = 0;  ///< bytes per element; 0: raw words, which any kernel accepts

    explicit operator bool() const { return buffer != VK_NULL_HANDLE; }
};

/// A named storage buffer, in memory of its own or aliasing another buffer's. Move-only; memory is freed with the last buffer in it.
class Buffer {
public:
    Buffer() = default;
    Buffer(Device& device, std::string name, VkDeviceSize bytes, uint32_t stride, Residence residence);
    /// A buffer that aliases part of another one in the GPU's memory, from a byte offset on. Aliases may overlap if their values are never
    /// needed at the same time; commands order uses of all of them as uses of one buffer.
    Buffer(const Buffer& owner, VkDeviceSize offset, std::string name, VkDeviceSize bytes, uint32_t stride);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;

    VkDeviceSize bytes() const { return bytes_; }
    const std::string& name() const { return name_; }
    BufferSlice slice(VkDeviceSize offset, VkDeviceSize bytes) const;
    /// The same bytes as raw words.
    BufferSlice words() const { return {buffer_, 0, bytes_, 0}; }
    operator BufferSlice() const { return {buffer_, 0, bytes_, stride_}; }  // NOLINT: kernels accept whole buffers
    explicit operator bool() const { return buffer_ != VK_NULL_HANDLE; }

    /// Host pointer to a mapped buffer.
    template <class T>
    T* mapped() const {
        SPLAT_CHECK(memory_ && memory_->mapped(), "buffer '{}' is not mapped", name_);
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

/// Linear allocator over one buffer's memory. The buffers that it returns alias it, so a second arena over the same buffer reuses the memory.
class Arena {
public:
    explicit Arena(const Buffer& memory) : memory_(memory) {}

    template <class T>
    Buffer take(std::string name, size_t count) {
        const VkDeviceSize offset = used_;
        used_ += bytes<T>(count);
        return Buffer(memory_, offset, std::move(name), count * sizeof(T), sizeof(T));
    }
    /// Bytes that take() uses for `count` elements.
    template <class T>
    static VkDeviceSize bytes(size_t count) {
        return (count * sizeof(T) + kAlignment) / kAlignment * kAlignment;  // never 0
    }

private:
    static constexpr VkDeviceSize kAlignment = 256;

    const Buffer& memory_;
    VkDeviceSize used_ = 0;
};

}  // namespace splat::gpu
