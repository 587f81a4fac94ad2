#pragma once

#include <map>
#include <mutex>
#include <tuple>

#include "gpu/kernel.h"

namespace splat::gpu {

class Device;

struct Pipeline {
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
};

/// Pipelines by kernel, specialization and pinned subgroup size, made on first use, for any thread.
class Pipelines {
public:
    explicit Pipelines(Device& device) : device_(device) {}
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

    /// Throws Error when the kernel needs a feature that the device lacks or that is switched off.
    Pipeline get(const KernelArguments& arguments);

private:
    using Key = std::tuple<const KernelInfo*, std::array<uint32_t, kMaxSpecialization>, uint32_t>;
    void create(const KernelArguments& arguments, Pipeline& pipeline) const;
    void destroy(const Pipeline& pipeline) const;

    Device& device_;
    std::mutex mutex_;
    std::map<Key, Pipeline> pipelines_;
};

}  // namespace splat::gpu
