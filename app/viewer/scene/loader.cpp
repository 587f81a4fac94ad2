#include "viewer/scene/loader.h"

#include <chrono>

namespace splat::app {

namespace {

LoadedSplats load(const std::filesystem::path& path) {
    LoadedSplats loaded{.path = path, .model = {}, .problem = {}};
    try {
        loaded.model = readModel(path);
    } catch (const std::exception& problem) {  // bad_alloc as well: a file may ask for anything
        loaded.problem = problem.what();
    }
    return loaded;
}

}  // namespace

void Loader::open(const std::filesystem::path& path) { reading_.push_back({path, std::async(std::launch::async, load, path)}); }

std::optional<LoadedSplats> Loader::poll() {
    if (reading_.empty() || reading_.front().result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
    LoadedSplats loaded = reading_.front().result.get();
    reading_.erase(reading_.begin());
    return loaded;
}

}  // namespace splat::app
