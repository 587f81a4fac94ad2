#include <splatwright/gpu/buffer.h>

#include <utility>
#include <vector>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/device.h>
#include <splatwright/gpu/memory_budget.h>

namespace splat::gpu {

namespace {

// Drivers handle an impossible size differently, from a lost device to an allocation that fails on first use: it is refused here, by name.

void checkThatItCanBeBound(const Device& device, const std::string& name, VkDeviceSize bytes) {
    const VkDeviceSize bindable = device.limits().maxStorageBufferRange;
    if (bytes <= bindable) return;
    throw OutOfMemory("buffer '{}' needs {:.1f} MiB, and '{}' binds at most {:.1f} MiB (maxStorageBufferRange)", name, mebibytes(bytes),
                      device.name(), mebibytes(bindable));
}

}  // namespace

Buffer::Buffer(Device& device, std::string name, VkDeviceSize bytes, uint32_t stride, Residence residence)
    : device_(&device), name_(std::move(name)), bytes_(std::max<VkDeviceSize>(bytes, 4)), stride_(stride) {
    const bool bound = residence == Residence::device || residence == Residence::streamed;
    if (bound) checkThatItCanBeBound(device, name_, bytes_);
    if (bound || residence == Residence::arena) {
        const auto inUse = static_cast<VkDeviceSize>(device.memoryInUse());
        if (bytes_ + inUse > device.memoryTotal()) {
            throw OutOfMemory("buffer '{}' needs {:.1f} MiB beside the {:.1f} MiB in use, but '{}' has {:.1f} MiB in all", name_,
                              mebibytes(bytes_), mebibytes(inUse), device.name(), mebibytes(device.memoryTotal()));
        }
        checkBudget(device, name_, bytes_);
    }
    const VkMemoryRequirements needs = create(residence);
    try {
        memory_ = std::make_shared<Memory>(device.memory(), MemoryRequest{.name = name_, .needs = needs, .residence = residence});
        bind(0);
    } catch (...) {
        release();
        throw;
    }
}

Buffer::Buffer(const Buffer& owner, VkDeviceSize offset, std::string name, VkDeviceSize bytes, uint32_t stride)
    : device_(owner.device_), name_(std::move(name)), bytes_(std::max<VkDeviceSize>(bytes, 4)), stride_(stride), memory_(owner.memory_) {
    checkThatItCanBeBound(*device_, name_, bytes_);
    const VkMemoryRequirements needs = create(Residence::device);
    try {
        SPLAT_CHECK(offset % needs.alignment == 0 && offset + needs.size <= owner.bytes(), "'{}' of {} bytes at {} of '{}', which has {}",
                    name_, needs.size, offset, owner.name(), owner.bytes());
        bind(offset);
    } catch (...) {
        release();
        throw;
    }
    device_->aliases().add(buffer_, owner.buffer_);
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
    vk(vkBindBufferMemory(device_->handle(), buffer_, memory_->handle(), memory_->offset() + offset), "bind buffer '{}'", name_);
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
    SPLAT_CHECK(offset + bytes <= bytes_, "slice {}+{} of buffer '{}' of {} bytes", offset, bytes, name_, bytes_);
    return {buffer_, offset, bytes, stride_};
}

void Buffer::release() {
    if (!device_ || !buffer_) return;
    device_->aliases().remove(buffer_);
    vkDestroyBuffer(device_->handle(), buffer_, nullptr);
    memory_.reset();
    buffer_ = VK_NULL_HANDLE;
}

}  // namespace splat::gpu
