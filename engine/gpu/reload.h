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

/// How the build compiles shaders, kernels and those of screens, as cmake writes it down (kernels/reload.json in the build folder).
struct KernelSources {
    struct Kernel {
        std::string source;                            ///< below `shaders`
        std::vector<std::string> flags;                ///< all but where to look for imports
        std::vector<std::filesystem::path> needs;      ///< the source and what it imports, below `shaders`
        std::filesystem::file_time_type compiled;      ///< nothing newer is in the code that runs
        std::map<std::string, std::string> signature;  ///< what the host's struct has been generated from
    };
    std::filesystem::path slangc;
    std::filesystem::path shaders;  ///< the folder; tests put a copy here
    std::map<std::string, Kernel> kernels;

    /// Throws InputError naming what is missing: the file, the compiler or the sources, as where the binary runs on another computer.
    static KernelSources ofThisBuild();
};

/// What became of a reload: everything that changed, or nothing and why.
struct ReloadResult {
    std::vector<std::string> reloaded;  ///< kernels
    std::string problem;                ///< the compiler's words, with file and line, or what does not fit the program; empty: none
};

/// Takes kernels into use that were edited while the program runs. Recordings that exist keep the old code: their owners ask
/// Device::kernelGeneration() and record anew. A kernel whose buffers, constants, structs or group size are others is refused: the host's
/// code was generated for those it has.
class ShaderReload {
public:
    ShaderReload(Device& device, KernelSources sources);

    /// Compiles what has changed on a thread of its own. Does nothing while one is under way.
    void begin();
    bool busy() const { return running_.valid(); }
    /// What became of it, once it is there.
    std::optional<ReloadResult> poll();
    /// Both, waiting for the compiler.
    ReloadResult reload();

private:
    std::vector<std::string> changed() const;

    Device& device_;
    KernelSources sources_;
    std::future<ReloadResult> running_;  // last: its destructor waits
};

}  // namespace splat::gpu
