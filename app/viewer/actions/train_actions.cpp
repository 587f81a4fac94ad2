#include "viewer/actions/groups.h"

#include <filesystem>

#include <splatwright/core/settings.h>
#include <splatwright/scene/files/file_endings.h>
#include <splatwright/train/presets/requested_settings.h>
#include "viewer/files/written_files.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

namespace fs = std::filesystem;

void train(Viewer& v, Arguments&) {
    Training& t = training(v);
    t.state().phase == SessionPhase::running ? t.live().pause() : t.live().start();
}

void reset(Viewer& v, Arguments&) {
    training(v);
    v.work().question.unlessLost(v.work().lostByReset(), "Begin anew", [&v] { training(v).live().restart(training(v).settings); });
}

void setTraining(Viewer& v, Arguments& a) {
    TrainSettings& settings = v.work().training ? v.work().training->settings : v.work().trainSettings;
    const std::string name = a.text("the setting");
    const TrainSettings before = settings;
    setSetting(findSetting(settingFields(settings), name, "train_set"), a.text("the value"), "train_set");
    v.work().training ? v.work().training->apply() : completeChange(settings, before, false);
    waitForTraining(v);
}

void saveCheckpoint(Viewer& v, Arguments& a) {
    Training& t = training(v);
    const auto save = [&t](const fs::path& path) {
        expectEnding(path, kCheckpoint);
        t.live().saveCheckpoint(path);
    };
    if (a.more()) {
        save(a.text("the path"));
        return waitForTraining(v);
    }
    v.work().dialog.save("Save a checkpoint", "checkpoint.splat-ckpt", ".splat-ckpt", [&v](const fs::path& path) {
        if (v.work().training) v.work().training->live().saveCheckpoint(path);
    });
}

void captureStep(Viewer& v, Arguments&) {
    v.capturing().captureStep(training(v));
    v.waitUntil({.what = "the capture", .until = [&v] { return !v.capturing().busy(); }, .needsFrames = true});
}

void prepare(Viewer& v, Arguments& a) {
    if (!a.more()) {
        const std::vector<std::string> endings(kVideoEndings.begin(), kVideoEndings.end());
        return v.work().dialog.open(
            "Prepare a folder of photographs or a video", endings, [&v](const fs::path& path) { v.work().open(path); },
            FileDialog::Wanted::folder);
    }
    const fs::path input = a.text("the photographs or the video");
    v.work().prepare({.input = input, .out = a.text("the dataset's folder")});
}

void stopPreparing(Viewer& v, Arguments&) {
    if (!v.work().isPreparing()) throw InputError("nothing is being prepared");
    v.work().preparing->stop();
}

constexpr Action kActions[] = {
    {"train", "T", "Train", "", "start or pause training", train,
     [](const Viewer& v) { return hasDataset(v) && v.work().training->state().phase == SessionPhase::running; }, hasDataset},
    {"step", "N", "Train", "", "run one training step", [](Viewer& v, Arguments&) { training(v).live().step(); }, nullptr, hasDataset},
    {"reset", "", "Train", "", "restart training from the beginning", reset, nullptr, hasDataset},
    {"evaluate", "Ctrl+E", "Train", "", "evaluate the test views now", [](Viewer& v, Arguments&) { training(v).live().evaluate(); },
     nullptr, hasDataset},
    {"prepare", "", "Train", "INPUT DATASET", "find camera poses of photographs or a video, then train", prepare},
    {"stop_preparing", "", "Train", "", "stop the preparation; it can go on later", stopPreparing, nullptr,
     [](const Viewer& v) { return v.work().isPreparing(); }},
    {"save_checkpoint", "", "Train", "PATH", "save a checkpoint to resume from", saveCheckpoint, nullptr, hasDataset},
    {"capture_step", "Shift+F12", "Train", "", "capture a training step with RenderDoc", captureStep, nullptr, hasDataset},
    {"train_set", "", "", "KEY VALUE", "change a training setting (of the next dataset if none is open)", setTraining},
};

}  // namespace

std::span<const Action> trainActions() { return kActions; }

}  // namespace splat::app
