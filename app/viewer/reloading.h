#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gpu/reload.h"

namespace splat::app {

/// Compiles shaders that were edited while the viewer runs.
class Reloading {
public:
    /// shaders: a folder with the kernels' sources; empty: those of the build. Where there are none, begin() says why.
    Reloading(gpu::Device& device, const std::filesystem::path& shaders);

    /// Throws InputError where there is nothing to compile with.
    void begin();
    bool busy() const { return reload_ && reload_->busy(); }
    std::optional<gpu::ReloadResult> poll();
    /// What the compiler said last, whole; empty where it was content.
    const std::string& message() const { return message_; }

private:
    std::optional<gpu::ShaderReload> reload_;
    std::string missing_, message_;
};

}  // namespace splat::app
