#include "viewer/viewer/reloading.h"

#include <utility>

#include <splatwright/core/error.h>

namespace splat::app {

Reloading::Reloading(gpu::Device& device, const std::filesystem::path& shaders) {
    try {
        gpu::KernelSources sources = gpu::KernelSources::ofThisBuild();
        if (!shaders.empty()) sources.shaders = shaders;
        reload_.emplace(device, std::move(sources));
    } catch (const InputError& problem) {
        missing_ = problem.what();
    }
}

void Reloading::begin() {
    if (!reload_) throw InputError("shaders cannot be compiled here: {}", missing_);
    reload_->begin();
}

std::optional<gpu::ReloadResult> Reloading::poll() {
    if (!reload_) return std::nullopt;
    auto result = reload_->poll();
    if (result) message_ = result->problem;
    return result;
}

}  // namespace splat::app
