#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "gpu/kernel.h"

namespace splat::gpu {

class Device;

struct Pipeline {
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
};

/// Pipelines by kernel and specialization, made on first use, for any thread. Kernels with subgroup operations have their subgroup size pinned and
/// all subgroups full.
class Pipelines {
public:
    explicit Pipelines(Device& device) : device_(device) {}
    ~Pipelines();
    Pipelines(const Pipelines&) = delete;
    Pipelines& operator=(const Pipelines&) = delete;

    /// Throws Error when the kernel needs a feature that the device lacks or that is switched off.
    Pipeline get(const KernelArguments& arguments);

    /// Takes other code (SPIR-V words) for kernels, by name, from the next get() on. Throws Error, with nothing changed, for code that the driver
    /// refuses. The old pipelines stay as long as the device: recordings have them, and those of any thread may still be submitted.
    void replace(std::map<std::string, std::vector<uint32_t>> codes);
    /// What has taken a shader's place last; empty: nothing has.
    std::vector<uint32_t> replacedCode(const std::string& name);
    /// Another one after every replace().
    uint64_t generation() const { return generation_; }

private:
    struct Replacement {
        std::vector<uint32_t> code, capabilities;
    };
    using Key = std::tuple<const KernelInfo*, std::array<uint32_t, kMaxSpecialization>>;
    Pipeline create(const Key& key, const Replacement* replacement) const;
    void create(const KernelInfo& info, const Key& key, Pipeline& pipeline) const;
    void destroy(const Pipeline& pipeline) const;

    Device& device_;
    std::mutex mutex_;
    std::map<Key, Pipeline> pipelines_;
    std::map<std::string, Replacement, std::less<>> replaced_;
    std::vector<Pipeline> old_;
    std::atomic<uint64_t> generation_ = 0;
};

}  // namespace splat::gpu
