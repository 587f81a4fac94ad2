#include "viewer/actions/groups.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>

#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/scene/files/file_endings.h>
#include <splatwright/train/parts/region.h>
#include <splatwright/train/parts/region_settings.h>
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

void earlierRun(Viewer& v, Arguments& a) {
    training(v);
    const auto compare = [&v](const fs::path& path) { training(v).earlier = readEarlierRun(path); };
    if (a.more()) return compare(a.text("the run's folder or log.jsonl"));
    v.work().dialog.open("Compare with a run's log", {".jsonl"}, compare, FileDialog::Wanted::file);
}

void preset(Viewer& v, Arguments& a) {
    training(v);
    const auto take = [&v](const std::string& nameOrFile) { training(v).takePreset(nameOrFile); };
    if (!a.more())
        return v.work().dialog.open(
            "Load training settings", {".json"}, [take](const fs::path& path) { take(path.string()); }, FileDialog::Wanted::file);
    take(a.text("the preset's name or file"));
    waitForTraining(v);
}

void savePreset(Viewer& v, Arguments& a) {
    training(v);
    const auto save = [&v](const fs::path& path) {
        writeFileAtomically(path, jsonText(settingsToJson(settingFields(training(v).settings)), 2) + "\n");
        v.work().say(fmt::format("{} has the settings; `splatwright {} --preset` reads it", path.string(),
                                 training(v).isPicture() ? "fit" : "train"));
    };
    if (a.more()) return save(a.text("the path"));
    v.work().dialog.save("Save training settings", "preset.json", ".json", save);
}

void removeFloaters(Viewer& v, Arguments& a) {
    sceneTraining(v, "floaters").live().removeFloaters(mediansOf(a));
    waitForTraining(v);
}

/// What becomes of the splats outside a region.
std::string outsideOf(Arguments& a) {
    std::string outside = a.text("remove or keep");
    if (std::ranges::find(kRegionOutside, outside) == std::end(kRegionOutside))
        throw InputError("region: outside is '{}', expected remove or keep", outside);
    return outside;
}

/// Trains within the box of the tool `box`.
void setRegion(Viewer& v, Arguments& a) {
    Training& t = sceneTraining(v, "region in space");
    const WorldBox box = v.work().shapes.box();
    auto& own = t.settings.of<RegionSettings>();
    own.region = regionText({.centre = box.centre, .halfSize = box.halfSize, .rotation = box.rotation});
    if (a.more()) own.regionOutside = outsideOf(a);
    t.apply();
    waitForTraining(v);
}

void clearRegion(Viewer& v, Arguments&) {
    Training& t = training(v);
    t.settings.of<RegionSettings>().region = RegionSettings().region;
    t.apply();
    waitForTraining(v);
}

bool hasRegion(const Viewer& v) { return hasDataset(v) && v.work().training->settings.of<RegionSettings>().hasRegion(); }

/// Looks through the view with the lowest PSNR.
void worstView(Viewer& v, Arguments&) {
    const Training& t = training(v);
    const auto rows = listed({.filter = "", .worstFirst = true}, t.views(), t.state());
    if (rows.empty() || !rows.front().psnr) throw InputError("no view has a score: evaluate first");
    v.work().borrow(rows.front().view);
    v.work().say(fmt::format("{}: {:.2f} dB", t.views()[rows.front().view].name, *rows.front().psnr));
}

constexpr Action kActions[] = {
    {"train", "T", "Train", "", "start or pause training", train,
     [](const Viewer& v) { return hasDataset(v) && v.work().training->state().phase == SessionPhase::running; }, hasDataset},
    {"step", "N", "Train", "", "run one training step", [](Viewer& v, Arguments&) { training(v).live().step(); }, nullptr, hasDataset},
    {"reset", "", "Train", "", "restart training from the beginning", reset, nullptr, hasDataset},
    {"evaluate", "Ctrl+E", "Train", "", "evaluate the test views now", [](Viewer& v, Arguments&) { training(v).live().evaluate(); },
     nullptr, hasDataset},
    {"evaluate_views", "", "Train", "", "evaluate the training views now",
     [](Viewer& v, Arguments&) { training(v).live().evaluateTrainingViews(); }, nullptr, hasScene},
    {"remove_floaters", "", "Train", "[MEDIANS]", "remove splats in training that are far from their neighbours; training goes on",
     removeFloaters, nullptr, hasScene},
    {"region", "", "Train", "[remove|keep]", "train within the box of the tool `box`; splats outside are removed, or kept as they are",
     setRegion, hasRegion, hasScene},
    {"clear_region", "", "Train", "", "train everywhere again", clearRegion, nullptr, hasRegion},
    {"worst_view", "", "Train", "", "look through the view with the lowest PSNR", worstView, nullptr, hasScene},
    {"preset", "", "Train", "[NAME|FILE]", "take the training settings of a preset", preset, nullptr, hasDataset},
    {"save_preset", "", "Train", "[PATH]", "save the training settings as a preset", savePreset, nullptr, hasDataset},
    {"earlier_run", "", "Train", "[PATH]", "show the curves of an earlier run's log.jsonl beside those of this one", earlierRun, nullptr,
     hasDataset},
    {"forget_earlier_run", "", "Train", "", "remove the curves of the earlier run",
     [](Viewer& v, Arguments&) { training(v).earlier.reset(); }, nullptr,
     [](const Viewer& v) { return hasDataset(v) && v.work().training->earlier.has_value(); }},
    {"find_views", "", "", "[TEXT]", "list the views whose names have this text",
     [](Viewer& v, Arguments& a) { training(v).viewList.filter = a.more() ? a.text("the text") : ""; }},
    {"worst_first", "", "", "0|1", "sort the list of views by PSNR",
     [](Viewer& v, Arguments& a) { training(v).viewList.worstFirst = a.count("1 or 0", 0, 1) != 0; }},
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
