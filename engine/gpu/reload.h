#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace splat::gpu {

class Device;

/// How the build compiles its shaders, from kernels/reload.json in the build folder, which CMake writes.
struct KernelSources {
    struct Kernel {
        std::string source;                            ///< path below `shaders`
        std::vector<std::string> flags;                ///< all but the import paths
        std::vector<std::filesystem::path> needs;      ///< the source and its imports, below `shaders`
        std::filesystem::file_time_type compiled;      ///< time of the newest source in the running code
        std::map<std::string, std::string> signature;  ///< interface that the host's struct was generated from
    };
    std::filesystem::path slangc;
    std::filesystem::path shaders;  ///< source folder; tests use a copy
    std::map<std::string, Kernel> kernels;

    /// Throws InputError if the file, the compiler or a source is missing, as when the binary runs on another computer.
    static KernelSources ofThisBuild();
};

/// Result of a reload: the kernels that were replaced, or none and why.
struct ReloadResult {
    std::vector<std::string> reloaded;  ///< kernels
    std::string problem;                ///< compiler output with file and line, or how the interface differs; empty: none
};

/// Recompiles and replaces kernels that were edited while the program runs. Existing recordings keep the old code until their owners see a new
/// Device::kernelGeneration() and record again. Kernels whose buffers, constants, structs or group size changed are refused, because the
/// generated host code no longer fits.
class ShaderReload {
public:
    ShaderReload(Device& device, KernelSources sources);

    /// Starts compiling changed kernels on a thread. Does nothing while busy().
    void begin();
    bool busy() const { return running_.valid(); }
    /// The result of begin(), once it is ready.
    std::optional<ReloadResult> poll();
    /// Compiles changed kernels and waits for the result.
    ReloadResult reload();

private:
    std::vector<std::string> changed() const;

    Device& device_;
    KernelSources sources_;
    std::future<ReloadResult> running_;  // last: its destructor waits
};

}  // namespace splat::gpu
