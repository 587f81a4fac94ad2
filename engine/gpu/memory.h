#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <volk.h>

#include <splatwright/gpu/free_ranges.h>

namespace splat::gpu {

/// For messages.
inline double mebibytes(VkDeviceSize bytes) { return static_cast<double>(bytes) / (1 << 20); }

enum class Residence {
    device,    ///< memory of the GPU; the host reaches it by copies
    arena,     ///< memory of the GPU for aliases: kernels bind only those, so the limit of a binding does not apply
    streamed,  ///< memory of the GPU that the transfer queue fills and the compute queue reads
    readback,  ///< mapped, cached where possible: the GPU writes, the host reads
    staging,   ///< mapped: the host writes, the GPU reads
};

struct MemoryRequest {
    std::string name;  ///< of the buffer or image, for error messages
    VkMemoryRequirements needs{};
    Residence residence = Residence::device;
    bool dedicated = false;  ///< an allocation of its own, as images need: bufferImageGranularity keeps them away from buffers
};

/// Device memory in few allocations: small requests share blocks, because a driver may grant no more than 4096 allocations. Any thread may
/// allocate and free. Counters and the memory limit are of requested bytes in the GPU's memory, not of the blocks around them.
class MemoryAllocator {
public:
    struct Limits {
        VkDeviceSize bytes = UINT64_MAX;
        uint32_t allocations = UINT32_MAX;
    };
    MemoryAllocator(VkDevice device, VkPhysicalDevice physical, const Limits& limits);
    ~MemoryAllocator();
    MemoryAllocator(const MemoryAllocator&) = delete;
    MemoryAllocator& operator=(const MemoryAllocator&) = delete;

    int64_t inUse() const { return inUse_; }
    int64_t peak() const { return peak_; }
    /// Bytes of the largest device-local heap, or the limit if that is less.
    VkDeviceSize total() const { return total_; }
    /// VkDeviceMemory objects that exist now.
    uint32_t allocations() const;
    /// Bytes of those in the GPU's memory; at least inUse().
    VkDeviceSize reserved() const;

private:
    friend class Memory;

    struct Block {
        VkDeviceMemory handle = VK_NULL_HANDLE;
        VkDeviceSize bytes = 0;
        std::byte* mapped = nullptr;
        FreeRanges free;
    };
    /// Blocks of one memory type. Those that the host sees are mapped for as long as they exist.
    struct Pool {
        uint32_t type = 0;
        bool mapped = false;
        VkDeviceSize blockBytes = 0;
        std::vector<std::unique_ptr<Block>> blocks;
    };
    struct Range {
        Pool* pool = nullptr;
        Block* block = nullptr;
        VkDeviceSize offset = 0, bytes = 0;
    };

    Range allocate(const MemoryRequest& request);
    void free(const Range& range);
    uint32_t memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) const;
    Block& addBlock(Pool& pool, const MemoryRequest& request);
    VkResult tryAddBlock(Pool& pool, VkDeviceSize bytes);
    void destroy(const Pool& pool, const Block& block);
    void count(const Range& range, int64_t sign);

    VkDevice device_;
    VkPhysicalDeviceProperties properties_{};
    VkPhysicalDeviceMemoryProperties memory_{};
    VkDeviceSize total_;
    uint32_t mostAllocations_;
    mutable std::mutex mutex_;
    std::map<std::pair<uint32_t, bool>, Pool> pools_;
    uint32_t allocations_ = 0;
    VkDeviceSize reserved_ = 0;
    std::atomic<int64_t> inUse_ = 0, peak_ = 0;
};

/// Memory of one buffer or image, freed at the end of its life.
class Memory {
public:
    /// Throws OutOfMemory with the request's name if the device has too little.
    Memory(MemoryAllocator& allocator, const MemoryRequest& request) : allocator_(allocator), range_(allocator.allocate(request)) {}
    ~Memory() { allocator_.free(range_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    VkDeviceMemory handle() const { return range_.block->handle; }
    /// Where in handle() it begins.
    VkDeviceSize offset() const { return range_.offset; }
    /// The host's view of it; null for the GPU's own memory.
    void* mapped() const { return range_.block->mapped ? range_.block->mapped + range_.offset : nullptr; }

private:
    MemoryAllocator& allocator_;
    MemoryAllocator::Range range_;
};

/// Bytes of the largest device-local heap.
VkDeviceSize largestDeviceHeap(VkPhysicalDevice device);

}  // namespace splat::gpu
