#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <volk.h>

#include "gpu/buffer.h"
#include "gpu/features.h"
#include "gpu/instance.h"
#include "gpu/kernel_needs.h"
#include "gpu/transfer.h"

namespace splat::gpu {

class CommandPools;
class Commands;
class Pipelines;
struct DeviceDescription;
struct Pipeline;

struct DeviceOptions {
    std::string device;                         ///< index or part of the name; empty: the first discrete GPU, else the first that can
    std::vector<std::string> disabled;          ///< feature names to do without
    bool validate = false;                      ///< validation layers with synchronization validation
    VkDeviceSize memoryLimit = 0;               ///< bytes that buffers on the device may take together; 0: all there is
    std::vector<std::string> windowExtensions;  ///< of the instance, as the window system asks for them; empty: no window
    /// Whether a queue family can show pictures in the window; one that cannot is passed over unless `device` names it. Empty: all can.
    std::function<bool(VkInstance, VkPhysicalDevice, uint32_t family)> showsPictures;
    uint64_t loseAtSubmission = 0;  ///< for tests: the device counts as lost from this submission on, counted from 1; 0: never
    uint64_t loseSurfaceAt = 0;     ///< for tests: the window's surface gets lost in this call for an image of it or to show one; 0: never
};

/// A point in the queue's work: everything submitted up to it.
using Ticket = uint64_t;

/// What commands wait for before a stage of theirs, and what they signal besides the queue's own timeline; null: nothing.
struct SubmitOrder {
    VkSemaphore wait = VK_NULL_HANDLE;
    uint64_t value = 0;  ///< to wait for, of a timeline
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSemaphore signal = VK_NULL_HANDLE;  ///< binary
};

/// One VkDevice with one compute queue and one for copies beside it. Move nothing: everything else refers to it. Threads may share it: each
/// records with its own commands, all submit to the one queue, and what is submitted later runs later.
class Device {
public:
    /// Throws Error when there is no suitable device, InputError for an unknown device or feature name.
    explicit Device(const DeviceOptions& options);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const std::string& name() const { return name_; }
    /// The place in describeDevices().
    size_t index() const { return index_; }
    bool has(Feature feature) const { return features_.contains(feature); }
    /// The subgroup size that kernels get when they do not pin one.
    uint32_t subgroupSize() const { return probe_.properties11.subgroupSize; }
    SubgroupSizes subgroupSizes() const;
    /// The size that the subgroups of a kernel with subgroup operations are pinned to, all of them full; 0 if that cannot be.
    uint32_t fullSubgroupSize(const KernelInfo& kernel) const;
    /// Whether the device has all that a kernel needs.
    bool runs(const KernelInfo& kernel) const { return missingFor(*this, kernel).empty(); }
    const VkPhysicalDeviceLimits& limits() const { return probe_.properties.properties.limits; }
    bool isSoftware() const { return probe_.properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }
    /// Messages of the validation layers so far (0 without --validate).
    uint64_t validationMessages() const { return instance_.messages(); }

    template <class T>
    Buffer buffer(std::string name, size_t count, Residence residence = Residence::device) {
        return Buffer(*this, std::move(name), count * sizeof(T), sizeof(T), residence);
    }

    /// Hands recorded commands to the queue and returns at once. The GPU starts them after the arrival of what was copied for them.
    Ticket submit(const Commands& commands, Arrival after = {}) { return submit(std::array{&commands}, after); }
    /// Several recordings in their order, as one: less of the GPU's time lies between them.
    Ticket submit(std::span<const Commands* const> commands, Arrival after = {});
    /// The same for commands that are not of the class Commands: a screen's.
    Ticket submit(const std::string& name, std::span<const VkCommandBuffer> commands, const SubmitOrder& order);
    VkResult present(const VkPresentInfoKHR& info);
    /// Blocks until the queue has nothing left to do, showing pictures included.
    void waitIdle();
    TransferQueue& transfers() { return *transfers_; }
    bool done(Ticket ticket);
    /// Blocks until the ticket is done; counted, because a training step must not do it.
    void wait(Ticket ticket);
    /// Blocks until everything is done that any thread has submitted so far, copies included.
    void waitForAll();
    /// How often the calling thread has waited for a ticket, on any device.
    uint64_t waits() const;
    /// CPU time that the calling thread has spent in those, because drivers spin.
    double waitedMicroseconds() const;
    /// Others that use the VkQueue itself, a swapchain for one, hold this meanwhile.
    std::unique_lock<std::mutex> lockQueue() { return std::unique_lock(queueMutex_); }
    /// Records, submits and waits: for set-up and for work that the host needs now, never inside a step.
    void run(const std::string& name, const std::function<void(Commands&)>& record);

    /// Copies through a staging buffer and waits.
    void upload(BufferSlice to, std::span<const std::byte> bytes);
    template <class T>
    void upload(BufferSlice to, const std::vector<T>& values) {
        upload(to, std::as_bytes(std::span(values)));
    }
    void download(BufferSlice from, std::span<std::byte> bytes);
    template <class T>
    std::vector<T> download(BufferSlice from, size_t count) {
        std::vector<T> values(count);
        download(from, std::as_writable_bytes(std::span(values)));
        return values;
    }

    /// What `find` finds out about this device, once for as long as it is there, by name; for any thread. Two that ask at once may both find out.
    template <class T>
    std::shared_ptr<const T> known(const std::string& name, const std::function<T()>& find) {
        if (const std::shared_ptr<const void> found = knownAs(name, nullptr)) return std::static_pointer_cast<const T>(found);
        return std::static_pointer_cast<const T>(knownAs(name, std::make_shared<const T>(find())));
    }

    int64_t memoryInUse() const { return memoryInUse_; }
    int64_t memoryPeak() const { return memoryPeak_; }
    /// Bytes of the largest device-local heap, or the limit in the options where that is less.
    VkDeviceSize memoryTotal() const;

    /// Takes other code (SPIR-V) for kernels, by name, in all that is recorded from now on; for ShaderReload, which knows that it fits. Throws
    /// Error, with nothing changed, for code that the driver refuses.
    void replaceKernels(std::map<std::string, std::vector<uint32_t>> codes);
    /// Another one after every replacement: recordings of an earlier one run the old code.
    uint64_t kernelGeneration() const;
    /// What has taken a shader's place last; empty: nothing has.
    std::vector<uint32_t> replacedCode(const std::string& name) const;

    // For the rest of gpu/.
    VkDevice handle() const { return device_; }
    VkPhysicalDevice physical() const { return physical_; }
    uint32_t queueFamily() const { return probe_.queueFamily; }
    const Instance& instance() const { return instance_; }
    CommandPools& commandPools() { return *commandPools_; }
    VkQueue queue() const { return queue_; }
    VkSemaphore timeline() const { return timeline_; }
    VkSemaphore createTimeline(const std::string& name) const;
    /// The compute queue's family, and the transfer queue's where that is another.
    std::vector<uint32_t> queueFamilies() const;
    double timestampPeriod() const { return static_cast<double>(limits().timestampPeriod); }
    uint32_t memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) const;
    Pipeline pipeline(const KernelArguments& arguments);
    uint64_t loseSurfaceAt() const { return loseSurfaceAt_; }
    void nameObject(VkObjectType type, uint64_t handle, const std::string& name) const;
    void countMemory(int64_t bytes);
    /// Uses of the buffer are ordered as uses of another, in whose memory it lies; of its own again where both are the same.
    void orderAs(VkBuffer part, VkBuffer whole);
    VkBuffer orderedAs(VkBuffer buffer) const;

private:
    std::vector<DeviceDescription> candidates(const DeviceOptions& options) const;
    void choose(const DeviceOptions& options);
    void create(bool forWindow);
    void createQueues();
    /// What is known by that name, from now on `value` where nothing is.
    std::shared_ptr<const void> knownAs(const std::string& name, std::shared_ptr<const void> value);
    std::optional<QueuePlace> transferQueue() const { return has(Feature::transferQueue) ? probe_.transferQueue : std::nullopt; }

    Instance instance_;
    VkDeviceSize memoryLimit_;
    uint64_t loseAtSubmission_, loseSurfaceAt_;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    Probe probe_;
    size_t index_ = 0;
    std::string name_;
    std::set<Feature> features_;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::mutex queueMutex_, transferMutex_;  ///< of the VkQueues; where both are one, the first is that of both
    std::unique_ptr<CommandPools> commandPools_;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    std::unique_ptr<TransferQueue> transfers_;
    Ticket submitted_ = 0;  ///< under the queue's mutex: the timeline may only rise
    std::atomic<int64_t> memoryInUse_ = 0;
    std::atomic<int64_t> memoryPeak_ = 0;
    mutable std::mutex wholesMutex_;
    std::map<VkBuffer, VkBuffer> wholes_;  ///< of buffers in another's memory
    std::unique_ptr<Pipelines> pipelines_;
    std::mutex knownMutex_;
    std::map<std::string, std::shared_ptr<const void>> known_;
};

/// Devices as `info` lists them.
struct DeviceDescription {
    std::string name;
    std::string type;  ///< discrete, integrated, virtual, cpu, other
    std::string api;
    std::string driver;
    VkDeviceSize memory = 0;  ///< bytes of the largest device-local heap
    std::string unsuitable;   ///< why it cannot be used; empty when it can
};
std::vector<DeviceDescription> describeDevices(const Instance& instance);

/// The place of the device that is wanted, by index or part of the name; of the best kind that can be used where nothing is. Throws InputError where
/// there is none of that name, Error where none can be used.
size_t chooseDevice(const std::vector<DeviceDescription>& devices, const std::string& wanted);

}  // namespace splat::gpu
