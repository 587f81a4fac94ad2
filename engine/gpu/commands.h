#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include <splatwright/gpu/command_pools.h>
#include <splatwright/gpu/device.h>
#include <splatwright/shared/dispatch.h>

namespace splat::gpu {

using shared::kFoldedGroups;

/// Whether a recording writes a timestamp at each of its stages. A timestamp waits for the work before it.
enum class StageTimes { measured, none };

/// Records work for the queue, on one thread; any thread may submit it any number of times and, once it is done, destroy it. Barriers come from
/// what each kernel reads and writes, and are recorded only between dependent commands. Each recording starts with a full barrier, so it is
/// ordered after all earlier submissions.
class Commands {
public:
    Commands(Device& device, std::string name, StageTimes times = StageTimes::measured);
    ~Commands();
    Commands(Commands&& other) noexcept;
    Commands& operator=(Commands&&) = delete;
    Commands(const Commands&) = delete;

    /// Runs a kernel with one thread per item.
    template <class K>
    void dispatch(const K& kernel, uint64_t items) {
        dispatchGroups(kernel.pack(), groupsFor(items, K::info().groupSize[0]));
    }
    /// Runs a kernel whose groups process any number of items each.
    template <class K>
    void dispatchGroups(const K& kernel, uint64_t groups) {
        dispatchGroups(kernel.pack(), groups);
    }
    /// Runs a kernel over a 2D grid with one thread per item.
    template <class K>
    void dispatch2D(const K& kernel, uint32_t width, uint32_t height) {
        dispatchGrid(kernel.pack(), static_cast<uint32_t>(groupsFor(width, K::info().groupSize[0])),
                     static_cast<uint32_t>(groupsFor(height, K::info().groupSize[1])));
    }
    /// Runs a kernel with group counts from a buffer (shared::DispatchArguments).
    template <class K>
    void dispatchIndirect(const K& kernel, BufferSlice arguments) {
        dispatchIndirect(kernel.pack(), arguments);
    }
    void fill(BufferSlice slice, uint32_t word);
    void copy(BufferSlice from, BufferSlice to);

    /// Starts a stage, which is a label in captures and a row of the timing table. Stages do not nest.
    void stage(const std::string& name);
    /// Ends the last stage and copies the timestamps (stages() + 1, each a low and a high word) into a buffer for kernels.
    void copyTimestamps(BufferSlice to);
    const std::vector<std::string>& stages() const { return stages_; }
    void end();

    /// GPU milliseconds per stage of the last run, which must be done. Zeros without timestamps.
    std::vector<double> stageMilliseconds() const;

    const std::string& name() const { return name_; }
    VkCommandBuffer handle() const { return buffer_; }

private:
    static uint64_t groupsFor(uint64_t items, uint64_t groupSize) { return (items + groupSize - 1) / groupSize; }
    void dispatchGroups(const KernelArguments& arguments, uint64_t groups);
    void dispatchGrid(const KernelArguments& arguments, uint32_t x, uint32_t y);
    void dispatchIndirect(const KernelArguments& arguments, BufferSlice groups);
    /// groupCounts: arguments of an indirect dispatch; null: direct.
    void bind(const KernelArguments& arguments, const Pipeline& pipeline, VkBuffer groupCounts = VK_NULL_HANDLE);
    void bindSet(const Pipeline& pipeline, std::vector<VkWriteDescriptorSet>& writes);
    /// Who may have to wait for earlier work. Fewer wait at a barrier than could, because the front end, which reads group counts ahead of the
    /// work, costs 2.5 us on an H200 each time it is stopped.
    enum class Stage { kernels, transfers, groupCounts };
    static constexpr size_t kStages = 3;
    static constexpr size_t index(Stage stage) { return static_cast<size_t>(stage); }
    struct Use {
        VkBuffer buffer;
        bool written = false;
        bool groupCounts = false;  ///< read by the front end
    };

    /// Takes all uses of one command at once: a barrier that one use needs clears the record of earlier uses, not of the command's own.
    void orderHazards(Stage stage, const std::vector<Use>& uses);
    /// Kernels always wait.
    void barrier(bool forTransfers, bool forGroupCounts);
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
    std::array<std::map<VkBuffer, bool>, kStages> usedBefore_;  ///< per stage, since the last barrier it waited at; true: written
    std::vector<std::string> stages_;
    uint32_t stamps_ = 0;
    bool stageOpen_ = false;
};

}  // namespace splat::gpu
