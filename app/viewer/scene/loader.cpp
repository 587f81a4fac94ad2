#include "viewer/scene/loader.h"

#include <chrono>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/pictures/blob_file.h>

namespace splat::app {

namespace {

LoadedSplats load(const std::filesystem::path& path) {
    LoadedSplats loaded{.path = path, .gaussians = {}, .blobs = {}, .problem = {}};
    try {
        if (whyNotReadable(path).empty() && isBlobFile(path))
            loaded.blobs = readBlobs(path);
        else
            loaded.gaussians = readSplats(path);
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
