#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <splatwright/gpu/reload.h>

namespace splat::app {

/// Recompiles shaders that were edited while the viewer runs.
class Reloading {
public:
    /// shaders: folder of kernel sources; empty: those of the build. If they are missing, begin() throws the reason.
    Reloading(gpu::Device& device, const std::filesystem::path& shaders);

    /// Throws InputError if shaders cannot be compiled here.
    void begin();
    bool busy() const { return reload_ && reload_->busy(); }
    std::optional<gpu::ReloadResult> poll();
    /// Complete output of the last failed compilation; empty after a success.
    const std::string& message() const { return message_; }

private:
    std::optional<gpu::ShaderReload> reload_;
    std::string missing_, message_;
};

}  // namespace splat::app
