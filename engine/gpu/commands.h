#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/command_pools.h"
#include "gpu/device.h"

namespace splat::gpu {

/// Grids beyond this many groups continue in y; a kernel finds its group by `flatGroup` of shaders/lib/dispatch.slang.
inline constexpr uint32_t kFoldedGroups = 32768;

/// Records work for the queue, on one thread; any thread may submit it and, once it is done, destroy it. Hazards are found from what each kernel reads and writes, and one barrier is put only where one is; a whole
/// recording is ordered after everything submitted before it. A recording may be submitted any number of times.
class Commands {
public:
    Commands(Device& device, std::string name);
    ~Commands();
    Commands(Commands&& other) noexcept;
    Commands& operator=(Commands&&) = delete;
    Commands(const Commands&) = delete;

    /// Runs a kernel over a count of things, one a thread.
    template <class K>
    void dispatch(const K& kernel, uint64_t things) {
        dispatchGroups(kernel.pack(), groupsFor(things, K::info().groupSize[0]));
    }
    /// Runs a kernel whose groups take any number of things each.
    template <class K>
    void dispatchGroups(const K& kernel, uint64_t groups) {
        dispatchGroups(kernel.pack(), groups);
    }
    /// Runs a kernel over a grid of things, one a thread.
    template <class K>
    void dispatch2D(const K& kernel, uint32_t width, uint32_t height) {
        dispatchGrid(kernel.pack(), static_cast<uint32_t>(groupsFor(width, K::info().groupSize[0])),
                     static_cast<uint32_t>(groupsFor(height, K::info().groupSize[1])));
    }
    /// Runs a kernel with group counts (shared::DispatchArguments) that lie on the GPU.
    template <class K>
    void dispatchIndirect(const K& kernel, BufferSlice arguments) {
        dispatchIndirect(kernel.pack(), arguments);
    }
    void fill(BufferSlice slice, uint32_t word);
    void copy(BufferSlice from, BufferSlice to);

    /// Starts a stage: a label in captures and a row of the stage table. Stages follow one another and do not nest.
    void stage(const std::string& name);
    /// Ends the last stage and copies the time stamps (low and high word each, stages() + 1 of them) for the GPU to read.
    void copyTimestamps(BufferSlice to);
    const std::vector<std::string>& stages() const { return stages_; }
    void end();

    /// Milliseconds of each stage of the last run; the recording must be done. Zeros without time stamps.
    std::vector<double> stageMilliseconds() const;

    const std::string& name() const { return name_; }
    VkCommandBuffer handle() const { return buffer_; }

private:
    static uint64_t groupsFor(uint64_t things, uint64_t groupSize) { return (things + groupSize - 1) / groupSize; }
    void dispatchGroups(const KernelArguments& arguments, uint64_t groups);
    void dispatchGrid(const KernelArguments& arguments, uint32_t x, uint32_t y);
    void dispatchIndirect(const KernelArguments& arguments, BufferSlice groups);
    /// Group counts: of an indirect dispatch; null: it is none.
    void bind(const KernelArguments& arguments, const Pipeline& pipeline, VkBuffer groupCounts = VK_NULL_HANDLE);
    void bindSet(const Pipeline& pipeline, std::vector<VkWriteDescriptorSet>& writes);
    /// All uses of one command in one call: a barrier that one of them needs orders those before it, and must not hide the others.
    void orderHazards(const std::vector<std::pair<VkBuffer, bool>>& uses);
    void barrier();
    void beginLabel(const std::string& name) const;
    void endLabel() const;
    void stamp();

    Device* device_;
    std::string name_;
    CommandPool* pool_;
    VkCommandBuffer buffer_;
    VkQueryPool queries_ = VK_NULL_HANDLE;
    std::vector<VkDescriptorPool> pools_;
    uint32_t setsInPool_ = 0;
    std::map<VkBuffer, bool> usedSinceBarrier_;  // true: written
    std::vector<std::string> stages_;
    uint32_t stamps_ = 0;
    bool stageOpen_ = false;
};

}  // namespace splat::gpu
