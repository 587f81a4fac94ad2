// Models of a workspace in files: splats, and fitted pictures, which keep their blobs beside what the world shows of them.
#include <array>
#include <future>
#include <memory>

#include <fmt/format.h>

#include <splatwright/render/kinds/blobs.h>
#include <splatwright/train/step/trainer.h>
#include <splatwright/view/save_world.h>
#include "viewer/files/written_files.h"
#include "viewer/scene/workspace.h"
#include "viewer/widgets/grouped.h"

namespace splat::app {

/// One that is being fitted is a picture before its first step, too.
bool Workspace::isPicture(World::Id id) const {
    return pictures_.contains(id) || (training && training->isPicture() && training->model() == id);
}

/// The transform of a picture in training is that of its dataset's frame.
void Workspace::requirePicture(World::Id id, const std::filesystem::path& path) const {
    if (!isPicture(id))
        throw InputError("{}: {} is a model in 3D, and a .blobs file holds a fitted picture; expected another format, such as .ply",
                         path.string(), world[id].name);
    if (pictures_.contains(id) && world[id].transform != ModelTransform())
        throw InputError(
            "{}: {} is moved, rotated or scaled, which a .blobs file does not hold; reset its transform, or save it in another "
            "format, such as .ply",
            path.string(), world[id].name);
}

/// Another model has replaced the file: what came from it is no longer in it as it is here.
void Workspace::replaced(const std::filesystem::path& path) {
    for (auto& [id, source] : sources_) {
        if (!isSameFile(source.file, path)) continue;
        source = {};
        saved_.erase(id);
    }
}

void Workspace::save(World::Id id, const std::filesystem::path& path, const SplatWriter* writer) {
    if (!writer) requirePicture(id, path);
    if (training && training->model() == id) {
        training->live().saveSplats(path, writer);
        return say(fmt::format("{} is being written", path.string()));
    }
    if (writer)
        saveModels(world, std::array{id}, path, *writer);
    else
        writePart(path, pictures_.at(id), world.flagsOf(id), 0, shared::kMarkDeleted);
    replaced(path);
    saved_[id] = {world[id].transform, history.counts(id).deleted, history.revision()};
    say(fmt::format("{} is saved", path.string()));
}

void Workspace::saveSelection(const std::filesystem::path& path, const SplatWriter* writer) {
    history.finish();
    const auto ids = modelsWithSelection();
    if (ids.empty()) return complain("nothing is selected that could be saved");
    uint64_t count = 0;
    for (const World::Id id : ids) count += history.counts(id).selected;
    if (writer) {
        writer->write(path, placedGaussians(world, ids, shared::kMarkSelected));
    } else {
        if (ids.size() > 1)
            throw InputError("{}: splats of {} models are selected, and a .blobs file holds one", path.string(), ids.size());
        requirePicture(ids.front(), path);
        writePart(path, pictures_.at(ids.front()), world.flagsOf(ids.front()), shared::kMarkSelected, shared::kMarkDeleted);
    }
    replaced(path);
    say(fmt::format("{} is saved with {} splats", path.string(), grouped(count)));
}

/// As it is now, of one in training too; none before its first step. It is what its file would be, so that saving it loses nothing.
std::optional<FittedPicture> Workspace::copyOfPicture(World::Id id) {
    if (pictures_.contains(id)) return partOf(pictures_.at(id), world.flagsOf(id), 0, shared::kMarkDeleted);
    const auto promise = std::make_shared<std::promise<FittedPicture>>();
    auto copy = promise->get_future();
    const auto copyNow = [promise, this](const Trainer& trainer) {
        try {
            const FittedPicture now{downloadBlobs(device_, trainer.model(), trainer.settings().background), {}, false};
            promise->set_value(partOf(now, {}, 0, 0));
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
    };
    training->live().inspect(copyNow);
    try {
        return copy.get();
    } catch (const std::future_error&) {  // nobody looked
        return std::nullopt;
    }
}

}  // namespace splat::app
