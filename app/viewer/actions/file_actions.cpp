#include "viewer/actions/groups.h"

#include <filesystem>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/files/file_endings.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/pictures/blob_file.h>
#include "viewer/files/written_files.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

namespace fs = std::filesystem;

void openFile(Viewer& v, Arguments& a) {
    if (!a.more()) {
        std::vector<std::string> endings(kVideoEndings.begin(), kVideoEndings.end());
        endings.insert(endings.end(), kPhotographEndings.begin(), kPhotographEndings.end());
        endings.emplace_back(kCheckpoint.ending);
        endings.emplace_back(kProjectEnding);
        for (const SplatFormat* format : splatFormats()) endings.emplace_back(format->extension);
        return v.work().dialog.open("Open splats, a picture to fit, a checkpoint, a project, a video or a dataset folder", endings,
                                    [&v](const fs::path& path) { v.work().open(path); });
    }
    v.work().open(a.text("the path"));
    v.waitUntil({.what = "the file", .until = [&v] { return !v.work().busy(); }});
}

void openFolder(Viewer& v, Arguments&) {
    v.work().dialog.open(
        "Open a folder: a dataset or photographs", {}, [&v](const fs::path& path) { v.work().open(path); }, FileDialog::Wanted::folder);
}

constexpr const char* kBlobsName = "blobs";

/// The kinds of files that splats are saved as, one a writer; a fitted picture as its own first.
std::vector<FileKind> splatKinds(bool ofPicture) {
    std::vector<FileKind> kinds;
    if (ofPicture) kinds.push_back({kBlobsName, std::string(kBlobEndings.front()), "the fitted picture"});
    for (const SplatFormat* format : splatFormats()) {
        for (const SplatWriter& writer : format->writers) {
            const bool named = writer.fileName != nullptr;
            kinds.push_back({writer.name, named ? writer.fileName : format->extension, writer.help, named});
        }
    }
    return kinds;
}

/// By the name that follows the path, or by the path's ending; null: as the fitted picture that it is.
const SplatWriter* writerOf(const fs::path& path, Arguments& a) {
    if (!a.more()) return hasEnding(path, kBlobEndings) ? nullptr : &splatWriterOf(path);
    return &splatWriterByName(a.text("the format"));
}

const SplatWriter* writerOf(const FileKind& kind) { return kind.name == kBlobsName ? nullptr : &splatWriterByName(kind.name); }

/// What a dialog proposes for a model.
std::string proposedName(const Viewer& v, World::Id id, const char* more) {
    return OutputNames().take(v.work().world[id].name + more, v.work().isPicture(id) ? std::string(kBlobEndings.front()) : ".ply");
}

void save(Viewer& v, Arguments& a) {
    const World::Id id = currentModel(v);
    if (a.more()) {
        const fs::path path = a.text("the path");
        v.work().save(id, path, writerOf(path, a));
        if (v.work().training && v.work().training->model() == id) waitForTraining(v);
        return;
    }
    v.work().dialog.save("Save splats", proposedName(v, id, ""), splatKinds(v.work().isPicture(id)),
                         [&v, id](const fs::path& path, const FileKind& kind) {
                             if (v.work().world.has(id)) v.work().save(id, path, writerOf(kind));
                         });
}

void saveSelection(Viewer& v, Arguments& a) {
    if (a.more()) {
        const fs::path path = a.text("the path");
        return v.work().saveSelection(path, writerOf(path, a));
    }
    const World::Id id = currentModel(v);
    v.work().dialog.save("Save the selected splats", proposedName(v, id, " part"), splatKinds(v.work().isPicture(id)),
                         [&v](const fs::path& path, const FileKind& kind) { v.work().saveSelection(path, writerOf(kind)); });
}

void saveProjectAs(Viewer& v, Arguments& a) {
    const auto save = [&v](const fs::path& path) {
        expectEnding(path, kProject);
        v.work().saveProject(path);
    };
    if (a.more()) return save(a.text("the path"));
    const fs::path& last = v.work().projectFile();
    v.work().dialog.save("Save the project", last.empty() ? "scene.splatproject" : last.filename().string(), std::string(kProjectEnding),
                         save);
}

/// In its file, if it has one.
void saveProject(Viewer& v, Arguments& a) {
    if (a.more() || v.work().projectFile().empty()) return saveProjectAs(v, a);
    v.work().saveProject(v.work().projectFile());
}

void recover(Viewer& v, Arguments&) {
    v.autosaving().recover(v.work());
    v.waitUntil({.what = "the files", .until = [&v] { return !v.work().busy(); }});
}

bool hasAnything(const Viewer& v) { return !v.work().isEmpty(); }

template <bool kPanels>
void screenshot(Viewer& v, Arguments& a) {
    const auto take = [&v](const fs::path& path) {
        expectEnding(path, kPng);
        v.screenshot(path, kPanels);
    };
    if (a.more()) return take(a.text("the path"));
    v.work().dialog.save(kPanels ? "Save the whole window" : "Save the view", "screenshot.png", ".png", take);
}

void model(Viewer& v, Arguments& a) {
    const std::string name = a.text("the model");
    for (const World::Id id : v.work().world.ids()) {
        if (v.work().world[id].name == name) v.work().current = id;
    }
    if (!v.work().current || v.work().world[*v.work().current].name != name) throw InputError("model '{}' is not open", name);
}

constexpr Action kActions[] = {
    {"open", "Ctrl+O", "File", "PATH", "open splats, a picture to fit, a checkpoint, a project or a dataset folder", openFile},
    {"open_folder", "Ctrl+Shift+O", "File", "", "open a dataset or a folder of photographs", openFolder},
    {"save", "Ctrl+S", "File", "PATH [FORMAT]", "save the current model in any format, with edits and transform", save, nullptr, hasModel},
    {"save_selection", "Ctrl+Shift+S", "File", "PATH [FORMAT]", "save the selected splats in any format, in world space", saveSelection,
     nullptr, [](const Viewer& v) { return v.work().history.counts().selected > 0; }},
    {"save_project", "", "File", "[PATH]", "save what is open: models, edits, cameras, training; the next start goes on from there",
     saveProject, nullptr, hasAnything},
    {"save_project_as", "", "File", "[PATH]", "save what is open as another project", saveProjectAs, nullptr, hasAnything},
    {"recover", "", "File", "", "open what was open when a viewer ended without leaving", recover, nullptr,
     [](const Viewer& v) { return v.autosaving().hasLeft(); }},
    {"discard_recovery", "", "", "", "forget it", [](Viewer& v, Arguments&) { v.autosaving().discard(); }},
    {"close", "Ctrl+W", "File", "", "close the current model", [](Viewer& v, Arguments&) { v.work().close(currentModel(v)); }, nullptr,
     hasModel},
    {"screenshot", "F2", "File", "PATH", "save the view as PNG, without panels", screenshot<false>},
    {"screenshot_panels", "Shift+F2", "File", "PATH", "save the whole window as PNG, with panels", screenshot<true>},
    {"quit", "Ctrl+Q", "File", "", "leave", [](Viewer& v, Arguments&) { v.leave(); }},
    {"model", "", "", "NAME", "make a model the current one", model},
    {"visible", "", "", "0|1", "show or hide the current model",
     [](Viewer& v, Arguments& a) { v.work().world.setVisible(currentModel(v), a.count("1 or 0", 0, 1) != 0); }},
};

}  // namespace

std::span<const Action> fileActions() { return kActions; }

}  // namespace splat::app
