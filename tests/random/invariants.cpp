#include "invariants.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/view/save_world.h>
#include "last_inputs.h"
#include "viewer/window/clock.h"

namespace splat::test {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMostPast = 200;     // states
constexpr double kSlackSeconds = 20;  // that a loop may take under a sanitizer while an autosave is due
constexpr double kLoadSeconds = 120;

uint32_t deletedOf(const std::vector<uint8_t>& flags) {
    return static_cast<uint32_t>(std::ranges::count_if(flags, [](uint8_t flag) { return (flag & shared::kMarkDeleted) != 0; }));
}

/// What a project keeps of everything but the training, whatever its files are called.
json contentsOf(const fs::path& project) {
    json contents = json::parse(readTextFile(project));
    contents.erase("training");
    contents.erase("saved_as");
    for (json& model : contents.at("models")) model.erase("file");
    return contents;
}

/// Whether all is the same, but for the rounding of numbers: a camera is kept by other numbers than it is moved by.
bool agree(const json& a, const json& b) {
    constexpr double kRounding = 1e-9;
    if (a.is_number() && b.is_number()) {
        const auto x = a.get<double>(), y = b.get<double>();
        return std::abs(x - y) <= kRounding * std::max({std::abs(x), std::abs(y), 1.0});
    }
    if (a.type() != b.type() || a.size() != b.size()) return false;
    if (!a.is_structured()) return a == b;
    return std::ranges::all_of(a.items(), [&](const auto& item) {
        return a.is_array() ? agree(item.value(), b.at(std::stoul(item.key())))
                            : b.contains(item.key()) && agree(item.value(), b.at(item.key()));
    });
}

/// Leaves the training out, which takes its time to read and has tests of its own.
void dropTraining(const fs::path& project) {
    json contents = json::parse(readTextFile(project));
    contents.at("training") = nullptr;
    writeFileAtomically(project, contents.dump());
}

}  // namespace

Invariants::Invariants(app::Viewer& viewer, const primitives::RadixSort& sort, fs::path folder, double autosaveSeconds)
    : viewer_(viewer), sort_(sort), folder_(std::move(folder)), autosaveSeconds_(autosaveSeconds), quietSince_(app::now()) {
    fs::create_directories(folder_);
}

WorldState Invariants::state() const {
    const World& world = viewer_.work().world;
    WorldState state;
    for (const World::Id id : world.ids())
        if (!world[id].live) state[id] = {world[id].name, world[id].transform, world.flagsOf(id)};
    return state;
}

void Invariants::update() {
    last_inputs::tick();
    app::Workspace& work = viewer_.work();
    const World& world = work.world;
    std::erase_if(births_, [&](const auto& birth) {
        return !world.has(birth.first) || world[birth.first].live || world[birth.first].count != birth.second.flags.size();
    });
    const bool isOther = past_.empty() || past_.back().revision != work.history.revision();
    bool isNew = false;
    for (const World::Id id : world.ids()) {
        if (world[id].live || births_.contains(id)) continue;
        isNew = true;
        births_[id] = {world[id].transform, world.flagsOf(id), work.projectFile().empty()};
    }
    if (work.busy()) busySince_ = app::now();
    if (!isOther && !isNew) return;
    if (!past_.empty()) past_.back().until = app::now();
    past_.push_back({state(), work.history.revision(), std::nullopt});
    if (past_.size() > kMostPast) past_.pop_front();
}

void Invariants::compare(const WorldState& found, const WorldState& expected, const std::string& when) const {
    if (found == expected) return;
    for (const auto& [id, model] : expected) {
        const auto other = found.find(id);
        if (other == found.end()) fail(fmt::format("{}: model {} is missing", when, model.name));
        if (other->second.transform != model.transform) fail(fmt::format("{}: {} has another transform", when, model.name));
        if (other->second.flags.size() != model.flags.size()) fail(fmt::format("{}: {} has other splats", when, model.name));
        const auto differing = std::ranges::mismatch(other->second.flags, model.flags).in2 - model.flags.begin();
        if (other->second.flags != model.flags) fail(fmt::format("{}: {} has other marks from splat {}", when, model.name, differing));
    }
    fail(fmt::format("{}: found {} models, expected {}", when, found.size(), expected.size()));
}

void Invariants::checkUndo() {
    EditHistory& history = viewer_.work().history;
    history.endDrag();  // that a frame would end
    const WorldState now = state();
    const std::string redo(history.redoName());
    std::vector<WorldState> states{now};
    for (; !history.undoName().empty(); states.push_back(state())) history.undo();
    for (const auto& [id, model] : states.back()) {
        const auto birth = births_.find(id);
        if (birth == births_.end() || !birth->second.isKnown) continue;
        if (model.flags != birth->second.flags) fail(fmt::format("without its edits {} has marks that it did not come with", model.name));
        if (model.transform != birth->second.transform)
            fail(fmt::format("without its edits {} is not where it came, but at {} {} {}", model.name, model.transform.translation.x,
                             model.transform.translation.y, model.transform.translation.z));
    }
    for (size_t left = states.size() - 1; left-- > 0;) {
        if (history.redoName().empty()) fail(fmt::format("{} of {} edits cannot be redone", left + 1, states.size() - 1));
        history.redo();
        compare(state(), states[left], fmt::format("redone but for {} edits", left));
    }
    if (history.redoName() != redo) fail(fmt::format("undone edits were lost: next is '{}', expected '{}'", history.redoName(), redo));
    ++checks_;
}

void Invariants::checkCounts() {
    app::Workspace& work = viewer_.work();
    work.history.finish();
    for (const auto& [id, model] : state()) {
        const uint32_t deleted = deletedOf(model.flags), count = work.world[id].count;
        if (work.history.counts(id).deleted != deleted)
            fail(fmt::format("{} counts {} deleted splats, expected {}", model.name, work.history.counts(id).deleted, deleted));
        if (births_.at(id).flags.size() != count)
            fail(fmt::format("{} came with {} splats and has {}", model.name, births_.at(id).flags.size(), count));
        if (count == deleted) continue;
        saveModels(work.world, std::array{id}, folder_ / "left.ply", splatWriterByName("ply"));
        const size_t left = readSplats(folder_ / "left.ply").count();
        if (left + deleted != count) fail(fmt::format("{}: {} splats are saved and {} deleted of {}", model.name, left, deleted, count));
    }
    ++checks_;
}

void Invariants::finishLoading(app::Workspace& work) const {
    const double begin = app::now();
    do {
        work.update(0);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (app::now() - begin > kLoadSeconds) fail("a project does not finish to load: " + work.waitingFor());
    } while (work.busy());
    work.history.finish();
}

/// The project as another viewer has it, and saves it.
json Invariants::reopened(const fs::path& project) const {
    app::Workspace other(viewer_.work().device(), sort_, {});
    other.openProject(project);
    finishLoading(other);
    if (other.problems() > 0) fail(fmt::format("{} cannot be opened: {}", project.string(), other.notice().text));
    const fs::path again = folder_ / "again.splatproject";
    other.saveProject(again);
    return contentsOf(again);
}

void Invariants::checkProject() {
    app::Workspace& work = viewer_.work();
    if (work.isEmpty() || work.busy()) return;
    const fs::path project = folder_ / "checked.splatproject";
    work.saveProject(project);
    dropTraining(project);
    const json expected = contentsOf(project), found = reopened(project);
    if (!agree(found, expected))
        fail(fmt::format("a project changes when it is opened and saved:\n{}", json::diff(expected, found).dump(1)));
    ++checks_;
}

void Invariants::checkRecovery() {
    const fs::path autosave = app::Autosaving::defaultFolder() / "1.splatproject", copy = folder_ / "killed" / autosave.filename();
    const double due = std::max({quietSince_, busySince_, app::now() - autosaveSeconds_ - kSlackSeconds});
    if (viewer_.work().isEmpty() || viewer_.work().busy() ||
        app::now() - std::max(quietSince_, busySince_) < autosaveSeconds_ + kSlackSeconds)
        return;
    if (!fs::exists(autosave)) fail("there is no autosave");
    fs::remove_all(copy.parent_path());
    fs::create_directories(copy.parent_path());
    fs::copy_file(autosave, copy, fs::copy_options::overwrite_existing);
    if (fs::exists(app::projectFolder(autosave))) fs::copy(app::projectFolder(autosave), app::projectFolder(copy));
    dropTraining(copy);
    app::Workspace other(viewer_.work().device(), sort_, {});
    other.recover(copy);
    finishLoading(other);
    std::vector<ModelState> found;
    for (const World::Id id : other.world.ids()) {
        if (other.world[id].live) continue;
        found.push_back({other.world[id].name, other.world[id].transform, other.world.flagsOf(id)});
    }
    const bool isRecent = std::ranges::any_of(past_, [&](const Past& past) {
        if (past.until.value_or(app::now()) < due) return false;
        std::vector<ModelState> models;
        for (const auto& [id, model] : past.state) models.push_back(model);
        return std::ranges::is_permutation(
            models, found, [](const ModelState& a, const ModelState& b) { return a.transform == b.transform && a.flags == b.flags; });
    });
    if (!isRecent) fail(fmt::format("the autosave has none of the states of the last {:.0f} seconds", app::now() - due));
    ++checks_;
}

}  // namespace splat::test
