#include "viewer/scene/loader.h"

#include <chrono>
#include <utility>

#include <splatwright/core/input_file.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/session/checkpoint_model.h>

namespace splat::app {

namespace {

LoadedSplats load(const std::filesystem::path& path) {
    LoadedSplats loaded{.path = path, .model = {}, .picture = {}, .step = {}, .reopened = {}, .problem = {}};
    try {
        if (!whyNotReadable(path).empty() || !isCheckpoint(path)) {
            loaded.model = readModel(path);
            if (loaded.model.kind.row->picture) loaded.picture = readFittedPicture(path);
            return loaded;
        }
        CheckpointModel found = readCheckpointModel(path);
        loaded.model = std::move(found.model);
        if (loaded.model.kind.row->picture) loaded.picture = fittedPictureOf(loaded.model);
        loaded.step = found.step;
    } catch (const std::exception& problem) {  // bad_alloc as well: a file may ask for anything
        loaded.problem = problem.what();
    }
    return loaded;
}

}  // namespace

void Loader::open(const std::filesystem::path& path, std::optional<ReopenedModel> reopened) {
    reading_.push_back({path, std::move(reopened), std::async(std::launch::async, load, path)});
}

std::optional<LoadedSplats> Loader::poll() {
    if (reading_.empty() || reading_.front().result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
    LoadedSplats loaded = reading_.front().result.get();
    loaded.reopened = std::move(reading_.front().reopened);
    reading_.erase(reading_.begin());
    return loaded;
}

}  // namespace splat::app
