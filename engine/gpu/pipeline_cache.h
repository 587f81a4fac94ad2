#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <volk.h>

namespace splat::gpu {

/// The driver's compiled pipelines, kept in one file per device, driver and build of the program, so that the next run starts sooner. A file
/// that is missing, damaged, of somebody else or of another driver only costs the time to compile, and one that cannot be written is done
/// without; several processes may use the same folder.
class PipelineCache {
public:
    /// folder: where the files are; empty: nothing is kept.
    PipelineCache(VkDevice device, VkPhysicalDevice physical, const std::filesystem::path& folder);
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    VkPipelineCache handle() const { return cache_; }
    /// Writes what the driver has compiled, if that is more than was read. What other processes have written since is kept.
    void save();
    /// Where it is kept; empty: nowhere.
    const std::filesystem::path& file() const { return file_; }

    static constexpr size_t kMostBytes = size_t{128} << 20u;  ///< of a file; a longer one is neither read nor written
    static constexpr size_t kMostFiles = 16;                  ///< of all devices and builds; the oldest go

private:
    VkPipelineCache make(const std::vector<std::byte>& data) const;
    /// The driver's data in the file; empty if there is none to use.
    std::vector<std::byte> read() const;
    std::vector<std::byte> dataOf(VkPipelineCache cache) const;

    VkDevice device_;
    std::vector<std::byte> key_;  ///< device and driver
    std::filesystem::path file_;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    size_t loadedBytes_ = 0;
};

}  // namespace splat::gpu
