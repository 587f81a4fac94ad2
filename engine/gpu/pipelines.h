#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include <splatwright/gpu/kernel.h>
#include <splatwright/gpu/pipeline_cache.h>

namespace splat::gpu {

class Device;

struct Pipeline {
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
};

/// Pipelines by kernel, specialization and subgroup size, created on first use by any thread. Kernels with subgroup operations get a pinned subgroup size and
/// full subgroups.
class Pipelines {
public:
    explicit Pipelines(Device& device);
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

    /// Throws Error if the kernel needs a feature that the device lacks or that is disabled.
    Pipeline get(const KernelArguments& arguments);

    /// Replaces kernels' code (SPIR-V words by kernel name) from the next get() on. Throws Error, with nothing changed, for code that the driver
    /// refuses. Old pipelines live as long as the device, because existing recordings may still be submitted.
    void replace(std::map<std::string, std::vector<uint32_t>> codes);
    /// The code that replaced a shader last; empty: it was never replaced.
    std::vector<uint32_t> replacedCode(const std::string& name);
    /// Changes with every replace().
    uint64_t generation() const { return generation_; }

private:
    struct Replacement {
        std::vector<uint32_t> code, capabilities;
    };
    /// The last one is the subgroup size, 0 for kernels without subgroup operations.
    using Key = std::tuple<const KernelInfo*, std::array<uint32_t, kMaxSpecialization>, uint32_t>;
    Pipeline create(const Key& key, const Replacement* replacement) const;
    void create(const KernelInfo& info, const Key& key, Pipeline& pipeline) const;
    void destroy(const Pipeline& pipeline) const;

    Device& device_;
    PipelineCache cache_;
    std::mutex mutex_;
    std::map<Key, Pipeline> pipelines_;
    std::map<std::string, Replacement, std::less<>> replaced_;
    std::vector<Pipeline> old_;
    std::atomic<uint64_t> generation_ = 0;
};

}  // namespace splat::gpu
