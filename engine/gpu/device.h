#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <volk.h>

#include <splatwright/gpu/aliases.h>
#include <splatwright/gpu/buffer.h>
#include <splatwright/gpu/features.h>
#include <splatwright/gpu/instance.h>
#include <splatwright/gpu/kernel_needs.h>
#include <splatwright/gpu/logical_device.h>
#include <splatwright/gpu/memory.h>
#include <splatwright/gpu/physical_device.h>
#include <splatwright/gpu/queue.h>
#include <splatwright/gpu/transfer.h>

namespace splat::gpu {

class CommandPools;
class Commands;
class Pipelines;
struct Pipeline;

/// Prefers a subgroup size in what the calling thread records, on any device, until its end.
class SubgroupTrial {
public:
    explicit SubgroupTrial(uint32_t size);
    ~SubgroupTrial();
    SubgroupTrial(const SubgroupTrial&) = delete;
    SubgroupTrial& operator=(const SubgroupTrial&) = delete;
};

/// One VkDevice with a compute queue and a transfer queue beside it. It is neither copied nor moved: everything else refers to it. Threads may
/// share it: each records its own commands, all submit to the one queue, and later submissions run later.
class Device {
public:
    /// Throws Error if there is no suitable device, InputError for an unknown device or feature name.
    explicit Device(const DeviceOptions& options);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const std::string& name() const { return physical_.name; }
    /// Index in describeDevices().
    size_t index() const { return physical_.index; }
    bool has(Feature feature) const { return physical_.has(feature); }
    /// Profile that the device keeps to, and what it cannot prove of that class (profiles.h); empty: none.
    const std::string& profile() const { return physical_.profile; }
    const std::vector<std::string>& notProven() const { return physical_.notProven; }
    const Probe& probe() const { return physical_.probe; }
    /// Whether the driver has an extension, in use or not.
    bool offers(const std::string& extension) const { return physical_.probe.extensions.contains(extension); }
    VkDriverId driverId() const { return physical_.probe.properties12.driverID; }
    /// Subgroup size of kernels that do not pin one.
    uint32_t subgroupSize() const { return physical_.probe.properties11.subgroupSize; }
    /// With the preferred size as the device's own.
    SubgroupSizes subgroupSizes() const;
    /// Subgroup size that a kernel with subgroup operations is pinned to, with all subgroups full; 0 if that is not possible.
    uint32_t fullSubgroupSize(const KernelInfo& kernel) const;
    /// The kernel, or its small variant if the device has too little groupshared memory for it.
    const KernelInfo& fitting(const KernelInfo& kernel) const;
    /// Prefers a subgroup size in kernels that have none of their own and are recorded from now on; 0: the driver's nominal size.
    void preferSubgroupSize(uint32_t size) { preferredSubgroup_ = size; }
    /// Kernels that give wrong results here, by a self test, are not run until they are included again.
    void exclude(const KernelInfo& kernel);
    void include(const KernelInfo& kernel);
    bool excludes(const KernelInfo& kernel) const;
    /// Whether the device has all that a kernel needs.
    bool runs(const KernelInfo& kernel) const { return missingFor(*this, kernel).empty(); }
    const VkPhysicalDeviceLimits& limits() const { return physical_.probe.properties.properties.limits; }
    bool isSoftware() const { return physical_.probe.properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }
    /// Messages of the validation layers so far (0 without --validate).
    uint64_t validationMessages() const { return instance_.messages(); }

    template <class T>
    Buffer buffer(std::string name, size_t count, Residence residence = Residence::device) {
        return Buffer(*this, std::move(name), count * sizeof(T), sizeof(T), residence);
    }

    /// Submits recorded commands and returns at once. The GPU starts them after the copies up to `after` have arrived.
    Ticket submit(const Commands& commands, Arrival after = {}) { return submit(std::array{&commands}, after); }
    /// Submits several recordings, in order, at once: the GPU idles less between them.
    Ticket submit(std::span<const Commands* const> commands, Arrival after = {});
    bool done(Ticket ticket) const { return queue_.done(ticket); }
    /// Blocks until the ticket is done; counted, because a training step must not do it.
    void wait(Ticket ticket) const { queue_.wait(ticket); }
    /// Blocks until everything that any thread has submitted so far is done, copies included.
    void waitForAll();
    /// How often the calling thread has waited for a ticket, on any device.
    uint64_t waits() const { return Queue::waits(); }
    /// CPU time of those waits in the calling thread: drivers spin.
    double waitedMicroseconds() const { return Queue::waitedMicroseconds(); }
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

    /// Caches a value by name for the lifetime of the device; `find` computes it on first use. Any thread may call: two that ask at once may
    /// both compute it.
    template <class T>
    std::shared_ptr<const T> known(const std::string& name, const std::function<T()>& find) {
        if (const std::shared_ptr<const void> found = knownAs(name, nullptr)) return std::static_pointer_cast<const T>(found);
        return std::static_pointer_cast<const T>(knownAs(name, std::make_shared<const T>(find())));
    }

    /// Bytes of the GPU's memory that buffers take now.
    int64_t memoryInUse() const { return memory_.inUse(); }
    int64_t memoryPeak() const { return memory_.peak(); }
    /// Bytes of the largest device-local heap, or the memory limit if that is less.
    VkDeviceSize memoryTotal() const { return memory_.total(); }

    /// Replaces kernels' code (SPIR-V words by kernel name) in everything recorded from now on; ShaderReload has checked that it fits. Throws
    /// Error, with nothing changed, for code that the driver refuses.
    void replaceKernels(std::map<std::string, std::vector<uint32_t>> codes);
    /// Changes with every replacement: recordings of an earlier generation run the old code.
    uint64_t kernelGeneration() const;
    /// The code that replaced a shader last; empty: it was never replaced.
    std::vector<uint32_t> replacedCode(const std::string& name) const;

    // For the rest of gpu/.
    VkDevice handle() const { return logical_.handle(); }
    VkPhysicalDevice physical() const { return physical_.handle; }
    const Instance& instance() const { return instance_; }
    MemoryAllocator& memory() { return memory_; }
    Aliases& aliases() { return aliases_; }
    CommandPools& commandPools() { return *commandPools_; }
    Queue& queue() { return queue_; }
    TransferQueue& transfers() { return transfers_; }
    uint32_t queueFamily() const { return physical_.probe.queueFamily; }
    /// The compute queue's family, and the transfer queue's if that is another.
    std::vector<uint32_t> queueFamilies() const;
    VkSemaphore createTimeline(const std::string& name) const;
    double timestampPeriod() const { return static_cast<double>(limits().timestampPeriod); }
    Pipeline pipeline(const KernelArguments& arguments);
    uint64_t loseSurfaceAt() const { return loseSurfaceAt_; }
    void nameObject(VkObjectType type, uint64_t handle, const std::string& name) const;

private:
    VkQueue computeQueue() const;
    TransferQueue makeTransfers();
    /// The value of that name, set to `value` if there is none yet.
    std::shared_ptr<const void> knownAs(const std::string& name, std::shared_ptr<const void> value);

    // In the order of creation: each may use those before it until its end.
    Instance instance_;
    PhysicalDevice physical_;
    uint64_t loseSurfaceAt_;
    std::atomic<uint32_t> preferredSubgroup_ = 0;
    LogicalDevice logical_;
    MemoryAllocator memory_;
    Aliases aliases_;
    std::unique_ptr<CommandPools> commandPools_;
    Queue queue_;
    std::mutex transferMutex_;  ///< of the transfer queue, if that is a VkQueue of its own
    TransferQueue transfers_;
    std::unique_ptr<Pipelines> pipelines_;
    mutable std::mutex excludedMutex_;
    std::set<const KernelInfo*> excluded_;
    std::mutex knownMutex_;
    std::map<std::string, std::shared_ptr<const void>> known_;
};

}  // namespace splat::gpu
