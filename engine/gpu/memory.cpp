#include <splatwright/gpu/memory.h>

#include <algorithm>
#include <optional>

#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace {

/// A block takes this part of its heap. All of a heap in blocks and in buffers larger than half a block is then at most about
/// 3 x 1024 allocations, below the 4096 that every device grants, and what a block leaves unused stays small beside the heap.
constexpr VkDeviceSize kBlocksPerHeap = 1024;
constexpr VkDeviceSize kMinBlockBytes = VkDeviceSize{1} << 20u;

/// Offsets are multiples of this even where a driver asks for less (16 on NVIDIA): elsewhere a subgroup's 128 bytes in a row lie in more cache
/// lines and sectors than they need.
constexpr VkDeviceSize kAlignment = 256;

VkMemoryPropertyFlags wanted(Residence residence) {
    switch (residence) {
        case Residence::device:
        case Residence::arena:
        case Residence::streamed: return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        case Residence::readback:
            return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
        case Residence::staging: return VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    }
    return 0;
}

}  // namespace

VkDeviceSize largestDeviceHeap(VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    VkDeviceSize largest = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) largest = std::max(largest, memory.memoryHeaps[i].size);
    }
    return largest;
}

MemoryAllocator::MemoryAllocator(VkDevice device, VkPhysicalDevice physical, const Limits& limits)
    : device_(device), total_(std::min(largestDeviceHeap(physical), limits.bytes)) {
    vkGetPhysicalDeviceProperties(physical, &properties_);
    vkGetPhysicalDeviceMemoryProperties(physical, &memory_);
    mostAllocations_ = std::min(properties_.limits.maxMemoryAllocationCount, limits.allocations);
}

MemoryAllocator::~MemoryAllocator() {
    for (const auto& [key, pool] : pools_)
        for (const auto& block : pool.blocks) destroy(pool, *block);
}

uint32_t MemoryAllocator::allocations() const {
    const std::scoped_lock lock(mutex_);
    return allocations_;
}

VkDeviceSize MemoryAllocator::reserved() const {
    const std::scoped_lock lock(mutex_);
    return reserved_;
}

MemoryAllocator::Range MemoryAllocator::allocate(const MemoryRequest& request) {
    const VkMemoryRequirements& needs = request.needs;
    const VkDeviceSize alignment = std::max(needs.alignment, kAlignment);
    const std::scoped_lock lock(mutex_);
    const uint32_t type = memoryType(needs.memoryTypeBits, wanted(request.residence));
    const bool mapped = request.residence == Residence::readback || request.residence == Residence::staging;
    Pool& pool = pools_[{type, mapped}];
    pool.type = type;
    pool.mapped = mapped;
    pool.blockBytes = std::max(memory_.memoryHeaps[memory_.memoryTypes[type].heapIndex].size / kBlocksPerHeap, kMinBlockBytes);
    Range range{.pool = &pool, .bytes = needs.size};
    if (!request.dedicated) {
        for (const auto& block : pool.blocks) {
            const auto offset = block->free.take(needs.size, alignment);
            if (!offset) continue;
            range.block = block.get();
            range.offset = *offset;
            count(range, 1);
            return range;
        }
    }
    range.block = &addBlock(pool, request);
    range.offset = range.block->free.take(needs.size, alignment).value();
    count(range, 1);
    return range;
}

void MemoryAllocator::free(const Range& range) {
    const std::scoped_lock lock(mutex_);
    range.block->free.giveBack(range.offset, range.bytes);
    count(range, -1);
    if (!range.block->free.allFree()) return;
    // One empty block stays, so that a buffer made and destroyed again and again costs no allocation each time.
    const auto isSpare = [&](const auto& block) { return block->bytes == range.pool->blockBytes && block->free.allFree(); };
    if (range.block->bytes == range.pool->blockBytes && std::ranges::count_if(range.pool->blocks, isSpare) == 1) return;
    destroy(*range.pool, *range.block);
    std::erase_if(range.pool->blocks, [&](const auto& block) { return block.get() == range.block; });
}

void MemoryAllocator::count(const Range& range, int64_t sign) {
    if (range.pool->mapped) return;  // the host's memory
    inUse_ += sign * static_cast<int64_t>(range.bytes);
    peak_ = std::max<int64_t>(peak_, inUse_);
}

uint32_t MemoryAllocator::memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) const {
    const auto find = [&](VkMemoryPropertyFlags flags, VkMemoryPropertyFlags without) -> std::optional<uint32_t> {
        for (uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
            const VkMemoryPropertyFlags has = memory_.memoryTypes[i].propertyFlags;
            if ((allowed & (1u << i)) && (has & flags) == flags && (has & without) == 0) return i;
        }
        return std::nullopt;
    };
    // Buffers that the host sees must not take the GPU's memory where the two are apart.
    const VkMemoryPropertyFlags unwanted = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT & ~wanted;
    const VkMemoryPropertyFlags uncached = wanted & ~static_cast<VkMemoryPropertyFlags>(VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    for (const auto& [flags, without] : {std::pair{wanted, unwanted}, {uncached, unwanted}, {wanted, 0u}, {uncached, 0u}}) {
        if (const auto type = find(flags, without)) return *type;
    }
    throw Error("device '{}' has no memory type with flags {:#x}", properties_.deviceName, wanted);
}

/// A block for many requests, or one of exactly this request's size if that is large or memory is short.
MemoryAllocator::Block& MemoryAllocator::addBlock(Pool& pool, const MemoryRequest& request) {
    const VkDeviceSize bytes = request.needs.size;
    if (allocations_ >= mostAllocations_)
        throw OutOfMemory("could not allocate {:.1f} MiB for '{}': '{}' grants {} allocations, and all are taken", mebibytes(bytes),
                          request.name, properties_.deviceName, mostAllocations_);
    const bool alone = request.dedicated || bytes > pool.blockBytes / 2;
    const bool roomForBlock = pool.mapped || reserved_ + pool.blockBytes <= total_;
    VkResult result = alone || !roomForBlock ? VK_ERROR_OUT_OF_DEVICE_MEMORY : tryAddBlock(pool, pool.blockBytes);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) result = tryAddBlock(pool, bytes);
    vk(result, "allocate {:.1f} MiB for '{}' ({:.1f} MiB are in use)", mebibytes(bytes), request.name,
       mebibytes(static_cast<VkDeviceSize>(inUse_)));
    return *pool.blocks.back();
}

VkResult MemoryAllocator::tryAddBlock(Pool& pool, VkDeviceSize bytes) {
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = bytes, .memoryTypeIndex = pool.type};
    Block block{.bytes = bytes, .free = FreeRanges(bytes)};
    if (const VkResult result = vkAllocateMemory(device_, &info, nullptr, &block.handle); result != VK_SUCCESS) return result;
    ++allocations_;
    if (!pool.mapped) reserved_ += bytes;
    if (pool.mapped) {
        void* mapped = nullptr;
        const VkResult result = vkMapMemory(device_, block.handle, 0, VK_WHOLE_SIZE, 0, &mapped);
        block.mapped = static_cast<std::byte*>(mapped);
        if (result != VK_SUCCESS) {
            destroy(pool, block);
            return result;
        }
    }
    pool.blocks.push_back(std::make_unique<Block>(std::move(block)));
    return VK_SUCCESS;
}

void MemoryAllocator::destroy(const Pool& pool, const Block& block) {
    vkFreeMemory(device_, block.handle, nullptr);
    --allocations_;
    if (!pool.mapped) reserved_ -= block.bytes;
}

}  // namespace splat::gpu
