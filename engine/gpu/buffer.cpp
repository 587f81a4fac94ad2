#include "gpu/buffer.h"

#include <utility>
#include <vector>

#include "gpu/check.h"
#include "gpu/device.h"

namespace splat::gpu {

namespace {

VkMemoryPropertyFlags wanted(Residence residence) {
    switch (residence) {
        case Residence::device:
        case Residence::streamed: return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        case Residence::readback:
            return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
        case Residence::staging: return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    }
    return 0;
}

double mebibytes(VkDeviceSize bytes) { return static_cast<double>(bytes) / (1 << 20); }

/// Drivers answer an impossible size in their own ways, from a lost device to an allocation that fails on first use: refuse it here by name.
void checkThatItFits(const Device& device, const std::string& name, VkDeviceSize bytes) {
    const VkDeviceSize bindable = device.limits().maxStorageBufferRange;
    if (bytes > bindable) {
        throw OutOfMemory("buffer '{}' needs {:.1f} MiB, and '{}' binds at most {:.1f} MiB (maxStorageBufferRange)", name, mebibytes(bytes),
                          device.name(), mebibytes(bindable));
    }
    const auto inUse = static_cast<VkDeviceSize>(device.memoryInUse());
    if (bytes + inUse > device.memoryTotal()) {
        throw OutOfMemory("buffer '{}' needs {:.1f} MiB beside the {:.1f} MiB in use, and '{}' has {:.1f} MiB to give", name,
                          mebibytes(bytes), mebibytes(inUse), device.name(), mebibytes(device.memoryTotal()));
    }
}

}  // namespace

Memory::Memory(Device& device, const std::string& name, const VkMemoryRequirements& needs, Residence residence)
    : device_(device), bytes_(needs.size), onDevice_(residence == Residence::device || residence == Residence::streamed) {
    const VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = device.memoryType(needs.memoryTypeBits, wanted(residence))};
    vk(vkAllocateMemory(device.handle(), &allocation, nullptr, &memory_), "allocate {:.1f} MiB for buffer '{}' ({:.1f} MiB are in use)",
       mebibytes(needs.size), name, mebibytes(static_cast<VkDeviceSize>(device.memoryInUse())));
    if (onDevice_) {
        device.countMemory(static_cast<int64_t>(bytes_));
    } else if (const VkResult result = vkMapMemory(device.handle(), memory_, 0, VK_WHOLE_SIZE, 0, &mapped_); result != VK_SUCCESS) {
        vkFreeMemory(device.handle(), memory_, nullptr);
        vk(result, "map buffer '{}'", name);
    }
}

Memory::~Memory() {
    vkFreeMemory(device_.handle(), memory_, nullptr);
    if (onDevice_) device_.countMemory(-static_cast<int64_t>(bytes_));
}

Buffer::Buffer(Device& device, std::string name, VkDeviceSize bytes, uint32_t stride, Residence residence)
    : device_(&device), name_(std::move(name)), bytes_(std::max<VkDeviceSize>(bytes, 4)), stride_(stride) {
    if (residence == Residence::device || residence == Residence::streamed) checkThatItFits(device, name_, bytes_);
    const VkMemoryRequirements needs = create(residence);
    try {
        memory_ = std::make_shared<Memory>(device, name_, needs, residence);
        bind(0);
    } catch (...) {
        release();
        throw;
    }
}

Buffer::Buffer(const Buffer& whole, VkDeviceSize offset, std::string name, VkDeviceSize bytes, uint32_t stride)
    : device_(whole.device_), name_(std::move(name)), bytes_(std::max<VkDeviceSize>(bytes, 4)), stride_(stride), memory_(whole.memory_) {
    const VkMemoryRequirements needs = create(Residence::device);
    try {
        CHECK(offset % needs.alignment == 0 && offset + needs.size <= whole.bytes(), "'{}' of {} bytes at {} of '{}', which has {}", name_,
              needs.size, offset, whole.name(), whole.bytes());
        bind(offset);
    } catch (...) {
        release();
        throw;
    }
    device_->orderAs(buffer_, whole.buffer_);
}

VkMemoryRequirements Buffer::create(Residence residence) {
    const std::vector<uint32_t> families = device_->queueFamilies();
    const bool shared = residence == Residence::streamed && families.size() > 1;
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .size = bytes_,
                                  .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                           VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                  .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
                                  .queueFamilyIndexCount = static_cast<uint32_t>(families.size()),
                                  .pQueueFamilyIndices = families.data()};
    vk(vkCreateBuffer(device_->handle(), &info, nullptr, &buffer_), "create buffer '{}' of {} bytes", name_, bytes_);
    device_->nameObject(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<uint64_t>(buffer_), name_);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
    return needs;
}

void Buffer::bind(VkDeviceSize offset) {
    vk(vkBindBufferMemory(device_->handle(), buffer_, memory_->handle(), offset), "bind buffer '{}'", name_);
}

Buffer::~Buffer() { release(); }

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    device_ = std::exchange(other.device_, nullptr);
    name_ = std::move(other.name_);
    bytes_ = std::exchange(other.bytes_, 0);
    stride_ = other.stride_;
    buffer_ = std::exchange(other.buffer_, VK_NULL_HANDLE);
    memory_ = std::move(other.memory_);
    return *this;
}

BufferSlice Buffer::slice(VkDeviceSize offset, VkDeviceSize bytes) const {
    CHECK(offset + bytes <= bytes_, "slice {}+{} of buffer '{}' of {} bytes", offset, bytes, name_, bytes_);
    return {buffer_, offset, bytes, stride_};
}

void Buffer::release() {
    if (!device_ || !buffer_) return;
    device_->orderAs(buffer_, buffer_);
    vkDestroyBuffer(device_->handle(), buffer_, nullptr);
    memory_.reset();
    buffer_ = VK_NULL_HANDLE;
}

}  // namespace splat::gpu
