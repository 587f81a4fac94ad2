// The workspace as a project: what it has open, in a file and back.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/settings.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/train/session/run_files.h>
#include "viewer/files/build_version.h"
#include "viewer/scene/workspace.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTrainingFile = "training.splat-ckpt";

/// An unused name in the folder.
fs::path nextModelFile(const fs::path& folder, std::string_view ending) {
    for (int number = 1;; ++number) {
        fs::path file = folder / fmt::format("model-{}{}", number, ending);
        if (!mayExist(file)) return file;
    }
}

/// Removes copies of models that the project has no more.
void removeOthers(const fs::path& folder, const Project& project) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        const bool isKept = std::ranges::any_of(project.models, [&](const ProjectModel& m) { return m.file == entry.path(); });
        if (!isKept && entry.path().filename().string().starts_with("model-")) fs::remove(entry.path(), failed);
    }
}

SessionOptions sessionOf(const ProjectTraining& training, DatasetOptions reading) {
    reading.format = training.format;
    SessionOptions options{.data = training.data, .reading = std::move(reading), .version = programVersion()};
    if (!training.checkpoint.empty() && mayExist(training.checkpoint)) {
        options.settings = resumedSettings({}, readCheckpoint(training.checkpoint));
        options.resume = training.checkpoint;
        if (!training.run.empty() && continuesIn(training.run, training.checkpoint)) options.folder = training.run;
    } else {
        options.settings.hasStrategyDefaults = true;
        settingsFromJson(settingFields(options.settings), training.settings, training.data.string());
    }
    return options;
}

}  // namespace

void Workspace::openProject(const fs::path& file) {
    try {
        question.unlessLost(unsaved(), "Open a project", [this, file, project = readProject(file)] {
            recovering_ = false;
            replaceBy(project);
            project_ = fs::absolute(file).lexically_normal();
            recent.add(project_);
            say(fmt::format("{} is open", file.filename().string()));
        });
    } catch (const InputError& problem) {
        complain(problem.what());
    }
}

void Workspace::recover(const fs::path& autosave) {
    const Project project = readProject(autosave);
    recovering_ = true;
    replaceBy(project);
    project_ = project.savedAs;
    say("recovered what was open when the viewer ended");
}

/// Closes everything, and opens what the project has.
void Workspace::replaceBy(const Project& project) {
    const auto session = project.training ? std::optional(sessionOf(*project.training, reading)) : std::nullopt;
    for (const World::Id id : world.ids()) remove(id);
    missing_.clear();
    picture = project.picture;
    modeRanges.restore(project.ranges, picture);
    bookmarks = project.bookmarks;
    flight.set(project.path);
    pathKey.reset();
    aids = project.aids;
    for (const ProjectModel& model : project.models) reopen(model, isProjectFolder(model.file.parent_path()));
    if (session) train(*session);
    look(project.camera);
}

void Workspace::look(const ProjectCamera& camera) {
    giveBack();
    navigator.setUp(camera.up);
    navigator.setMode(camera.fly ? Navigator::Mode::fly : Navigator::Mode::orbit);
    orthographic = camera.orthographic;
    app::take(navigator, camera.pose);
    keepsCamera_ = true;
}

void Workspace::reopen(const ProjectModel& model, bool isOwn) {
    if (!isStreamedSog(model.file)) return loader_.open(model.file, ReopenedModel{model, isOwn});
    const size_t before = world.ids().size();
    stream(model.file);
    if (world.ids().size() > before) restore(*current, {model, isOwn});
}

/// Gives a model that has just been opened the state that the project has of it.
void Workspace::restore(World::Id id, const ReopenedModel& reopened) {
    const ProjectModel& model = reopened.model;
    world.rename(id, model.name);
    world.setVisible(id, model.visible);
    world.setLocked(id, model.locked);
    world.setTransform(id, model.transform);
    const std::vector<uint8_t> flags = flagsOf(model.marks, world[id].count);
    if (!flags.empty()) history.restore(id, flags);
    if (flags.empty() && !model.marks.empty())
        complain(fmt::format("{} has {} splats, and the project's edits are of another number: they are left out", model.file.string(),
                             world[id].count));
    sources_[id] = {.file = model.file, .isOwn = reopened.isOwn};
    const auto deleted = std::ranges::count_if(flags, [](uint8_t flag) { return (flag & shared::kMarkDeleted) != 0; });
    if (recovering_) {
        if (reopened.isOwn) saved_.erase(id);  // no file of the user's has it
    } else {
        saved_[id] = {model.transform, static_cast<uint32_t>(deleted), history.revision()};
    }
    ++revision;
}

/// A model without a file is written to the folder; isMoved: also one whose file is in another project's.
ProjectModel Workspace::kept(World::Id id, const fs::path& folder, bool isMoved) {
    Source& source = sources_[id];
    const bool isElsewhere = isMoved && source.isOwn && source.file.parent_path() != folder;
    if (source.file.empty() || isElsewhere) {
        fs::create_directories(folder);
        const auto fitted = pictures_.find(id);
        const fs::path file = nextModelFile(folder, fitted == pictures_.end() ? ".ply" : kBlobEndings.front());
        if (fitted == pictures_.end())
            splatWriterByName("ply").write(file, world.storedOf(id));
        else
            writePart(file, fitted->second, {}, 0, 0);
        source = {.file = file, .isOwn = true};
    }
    const WorldModel& model = world[id];
    return {.file = source.file,
            .name = model.name,
            .visible = model.visible,
            .locked = model.locked,
            .transform = model.transform,
            .marks = model.live ? std::vector<MarkRun>() : runsOf(world.flagsOf(id))};
}

std::optional<ProjectTraining> Workspace::keptTraining(const fs::path& folder) {
    if (!training) return std::nullopt;
    ProjectTraining kept{.data = training->data(),
                         .run = training->results(),
                         .checkpoint = training->results().empty() ? folder / kTrainingFile : training->results() / kCheckpointFile,
                         .format = training->format(),
                         .settings = settingsToJson(settingFields(training->settings))};
    if (training->results().empty() && training->state().last.step > training->state().savedStep) {
        fs::create_directories(folder);
        training->live().saveCheckpoint(kept.checkpoint);
    }
    return kept;
}

Project Workspace::project(const fs::path& folder, bool isMoved) {
    Project project{.savedAs = {},
                    .models = missing_,
                    .training = keptTraining(folder),
                    .camera = {.pose = poseOf(navigator),
                               .up = navigator.up(),
                               .fly = navigator.mode() == Navigator::Mode::fly,
                               .orthographic = orthographic},
                    .bookmarks = bookmarks,
                    .path = flight.keys(),
                    .picture = picture,
                    .ranges = modeRanges.locks(picture),
                    .aids = aids};
    for (const World::Id id : world.ids())
        if (!training || training->model() != id) project.models.push_back(kept(id, folder, isMoved));
    return project;
}

void Workspace::saveProject(const fs::path& given) {
    const fs::path file = fs::absolute(given).lexically_normal();
    history.finish();
    const Project now = project(projectFolder(file), true);
    writeFileAtomically(file, projectText(now, file.parent_path()));
    removeOthers(projectFolder(file), now);
    for (const World::Id id : world.ids()) saved_[id] = {world[id].transform, history.counts(id).deleted, history.revision()};
    project_ = file;
    recent.add(file);
    say(fmt::format("{} is saved", file.filename().string()));
}

void Workspace::autosave(const fs::path& file) {
    if (isEmpty() && autosaved_.empty()) return;
    Project now = project(projectFolder(file), false);
    now.savedAs = project_;
    std::string text = projectText(std::move(now), file.parent_path());
    if (text == autosaved_) return;
    writeFileAtomically(file, text);
    autosaved_ = std::move(text);
}

}  // namespace splat::app
