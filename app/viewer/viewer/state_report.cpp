#include "viewer/viewer/state_report.h"

#include <imgui.h>
#include <imgui_internal.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/cameras/camera_file.h>
#include "viewer/viewer/inside_report.h"
#include "viewer/viewer/viewer.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

Json probeOf(const Viewport& viewport) {
    if (!viewport.probe()) return nullptr;
    const Probe& probe = *viewport.probe();
    Json hits = Json::array();
    for (const ProbeHit& hit : probe.hits)
        hits.push_back(
            {{"model", hit.model}, {"splat", hit.index}, {"depth", hit.depth}, {"alpha", hit.alpha}, {"contribution", hit.contribution}});
    return {{"listed", probe.listed}, {"hits", hits}, {"depth", probe.medianDepth}, {"transmittance", probe.transmittance}};
}

Json pictureOf(const Viewport& viewport) {
    const FrameReport& report = viewport.lastReport();
    Json json{{"low", {viewport.low().x, viewport.low().y}},
              {"width", viewport.size().x},
              {"height", viewport.size().y},
              {"visible", report.visible},
              {"instances", report.instances}};
    json["shown"] = report.mode ? Json(report.mode->name) : Json();
    json["missing"] = viewport.missing();
    json["range"] = viewport.range() ? Json({viewport.range()->first, viewport.range()->second}) : Json();
    const auto& pointed = viewport.pointed();
    json["pointed"] =
        pointed ? Json{{"pixel", {pointed->pixel.x, pointed->pixel.y}}, {"value", pointed->value ? Json(*pointed->value) : Json()}}
                : Json();
    for (const auto& [stage, milliseconds] : report.stages) json["stages"][stage] = milliseconds;
    return json;
}

/// The newest point of a fit, and the steps of all.
Json fitOf(const Workspace& work) {
    if (!work.fitRate || work.fitRate->points().empty()) return nullptr;
    Json steps = Json::array();
    for (const FitPoint& point : work.fitRate->points()) steps.push_back(point.step);
    const FitPoint& point = work.fitRate->points().back();
    return {{"steps", steps},
            {"gaussians", point.blobs},
            {"bytes", point.bytes},
            {"raw_bytes", point.rawBytes},
            {"bits_per_pixel", point.bitsPerPixel},
            {"psnr", point.psnr},
            {"file_psnr", point.filePsnr}};
}

Json trainingOf(const Workspace& work) {
    if (!work.training) return nullptr;
    const LiveState& state = work.training->state();
    Json json{{"phase", nameOf(state.phase)},
              {"step", state.last.step},
              {"loss", state.last.loss},
              {"splats", state.last.gaussians},
              {"ms_per_step", state.millisecondsPerStep}};
    const auto scores = [](const std::vector<ViewScore>& views) {
        Json found = Json::object();
        for (const ViewScore& view : views) found[view.name] = view.psnr;
        return found;
    };
    json["scores"] = {{"test", scores(state.testScores)}, {"training", scores(state.trainingScores)}};
    json["worst"] = state.evaluations.empty() ? Json() : Json(state.evaluations.back().worst);
    json["terms"] = state.lossTerms;
    json["seconds_left"] = work.training->secondsLeft() ? Json(*work.training->secondsLeft()) : Json();
    json["earlier"] = work.training->earlier ? Json(work.training->earlier->name) : Json();
    json["removed"] = state.removed;
    json["strip"] = Json();
    if (const ViewStrip::Row* row = work.strip->worst()) {
        json["strip"] = {{"view", work.training->views()[row->view].name}, {"steps", Json::array()}, {"psnr", Json::array()}};
        for (const ViewStrip::Picture& picture : row->pictures) {
            json["strip"]["steps"].push_back(picture.step);
            json["strip"]["psnr"].push_back(picture.psnr);
        }
    }
    json["fit"] = fitOf(work);
    json["listed"] = Json::array();
    for (const ListedView& row : listed(work.training->viewList, work.training->views(), state))
        json["listed"].push_back(work.training->views()[row.view].name);
    json["psnr"] = state.evaluations.empty() ? Json() : Json(state.evaluations.back().psnr);
    return json;
}

Json preparationOf(const Workspace& work) {
    if (!work.preparing) return nullptr;
    const Preparing& preparing = *work.preparing;
    Json stages = Json::array();
    for (const PreparingStage& stage : preparing.stages()) stages.push_back(stage.name);
    Json json{{"stages", stages},
              {"cameras", preparing.scene().cameras.size()},
              {"points", preparing.scene().points.size()},
              {"ended", preparing.ended()},
              {"problem", printable(preparing.problem())}};
    json["registered"] = preparing.report() ? Json(preparing.report()->registered) : Json();
    return json;
}

std::string_view nameOf(KeyOwner owner) {
    switch (owner) {
        case KeyOwner::dialog: return "dialog";
        case KeyOwner::text: return "text";
        case KeyOwner::view: return "view";
    }
    return "";
}

/// Panels by title, with their rectangles on the screen while they are shown.
Json panelsOf(Viewer& viewer) {
    Json json = Json::object();
    for (const auto& [title, open] : viewer.openPanels()) {
        const ImGuiWindow* window = ImGui::FindWindowByName(title.c_str());
        const bool shown = window && window->WasActive && !window->Hidden;
        json[title] = {{"open", open}, {"shown", shown}, {"docked", window && window->DockIsActive}};
        if (!shown) continue;
        json[title]["low"] = {window->Pos.x, window->Pos.y};
        json[title]["high"] = {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y};
        json[title]["beyond"] = window->ScrollMax.x;  // width of what is cut at the right
    }
    return json;
}

/// Messages that the log shows.
Json logOf(const Workspace& work) {
    Json json = Json::array();
    for (const LoggedMessage& m : work.messages.matching(work.logFilter.text, work.logFilter.problemsOnly)) json.push_back(lineOf(m));
    return json;
}

Json histogramOf(const Workspace& work, const Viewport& viewport) {
    const Histogram* h = work.counting.shown();
    return {{"quantity", work.counting.quantity->name},
            {"missing", viewport.view().missing(*work.counting.quantity)},
            {"range", h ? Json({h->range.first, h->range.second}) : Json()},
            {"all", h ? Json(h->all) : Json()},
            {"selected", h ? Json(h->selected) : Json()},
            {"milliseconds", h ? Json(h->milliseconds) : Json()}};
}

/// What is compared. Scores are of the pictures that show, and null until they are known.
Json comparisonOf(const Workspace& work, const Viewport& viewport) {
    const Comparing& c = work.comparing;
    const CompareView& compare = viewport.compare();
    const bool isScored = compare.isOn() && !compare.scoring();
    const auto score = [&](double PictureScores::*member) { return isScored ? Json((*compare.scores()).*member) : Json(); };
    return {{"with", nameOf(c.second.with)},
            {"shown", compare.picture() != nullptr},
            {"names", work.comparedNames()},
            {"layout", nameOf(c.layout)},
            {"divider", c.divider},
            {"exchanged", c.exchanged},
            {"psnr", score(&PictureScores::psnr)},
            {"ssim", score(&PictureScores::ssim)},
            {"flip", score(&PictureScores::flip)}};
}

/// State of tools, dialogs and toggles.
Json controlsOf(Viewer& viewer) {
    const Workspace& work = viewer.work();
    Json json{{"keys", nameOf(viewer.keyOwner())},
              {"dialog", work.dialog.isOpen() ? Json(work.dialog.title()) : Json()},
              {"name", work.dialog.isOpen() ? Json(work.dialog.name()) : Json()},
              {"question", work.question.open()},
              {"offer", work.prepareDialog.isOpen()},
              {"message", viewer.message().text()},
              {"picture", work.picture.picture},
              {"tool", nameOf(work.selecting.tool)},
              {"brush", work.selecting.brushRadius},
              {"all_models", work.selecting.allModels},
              {"panels", viewer.showsPanels()},
              {"help", viewer.showsHelp()},
              {"legend", work.showsLegend},
              {"flies", work.navigator.mode() == Navigator::Mode::fly},
              {"orthographic", work.orthographic},
              {"background_picture", work.backdrop.name()},
              {"plays", viewer.playing()},
              {"bookmarks", work.bookmarks.size()},
              {"path_keys", work.flight.keys().size()},
              {"project", work.projectFile().filename().string()},
              {"unsaved", work.unsaved().size()}};
    json["path_times"] = Json::array();
    for (const PathKey& key : work.flight.keys()) json["path_times"].push_back(key.time);
    json["path_key"] = work.pathKey ? Json(*work.pathKey + 1) : Json();
    json["model"] = work.current ? Json(work.world[*work.current].name) : Json();
    json["handles"] = work.showsGizmo ? Json(static_cast<int>(work.gizmo.kind)) : Json();
    const ShapeSettings& shapes = work.shapes;
    json["volume"] = {{"centre", toJson(shapes.centre)}, {"radius", shapes.radius}, {"half_size", toJson(shapes.halfSize)}};
    Json points = Json::array();
    for (const glm::dvec3& point : work.measuring.points()) points.push_back(toJson(point));
    json["measured"] = {{"points", points}, {"distance", work.measuring.distance() ? Json(*work.measuring.distance()) : Json()}};
    json["aids"] = {{"grid", work.aids.grid}, {"axes", work.aids.axes}, {"cube", work.aids.cube}};
    json["cameras"] = {work.showsCameras, work.showsThumbnails, work.showsGroundTruth()};
    json["undo"] = work.history.undoName();
    return json;
}

}  // namespace

void writeStateReport(Viewer& viewer, const std::filesystem::path& path) {
    const Workspace& work = viewer.work();
    Json models = Json::array();
    for (const World::Id id : work.world.ids()) {
        const WorldModel& m = work.world[id];
        models.push_back({{"name", m.name},
                          {"splats", m.count},
                          {"visible", m.visible},
                          {"locked", m.locked},
                          {"position", toJson(m.transform.translation)},
                          {"rotation", {m.transform.rotation.w, m.transform.rotation.x, m.transform.rotation.y, m.transform.rotation.z}},
                          {"scale", m.transform.scale}});
    }
    const Json camera{{"eye", toJson(work.navigator.eye())},
                      {"target", toJson(work.navigator.target())},
                      {"view", work.borrowedView ? Json(work.training->views()[*work.borrowedView].name) : Json()},
                      {"file", cameraJson({"view", work.camera(viewer.viewport().size())})}};
    const shared::MarkCounts marks = work.history.counts();
    const gpu::Device& device = viewer.work().device();
    const Json json{{"device", {{"index", device.index()}, {"name", device.name()}}},
                    {"models", models},
                    {"marks", {{"selected", marks.selected}, {"hidden", marks.hidden}, {"deleted", marks.deleted}}},
                    {"training", trainingOf(work)},
                    {"preparation", preparationOf(work)},
                    {"camera", camera},
                    {"screen", {{"width", viewer.size().x}, {"height", viewer.size().y}, {"scale", points(1)}}},
                    {"picture", pictureOf(viewer.viewport())},
                    {"overflows", viewer.viewport().overflows()},
                    {"probe", probeOf(viewer.viewport())},
                    {"inside", insideJson(viewer.inside())},
                    {"controls", controlsOf(viewer)},
                    {"histogram", histogramOf(work, viewer.viewport())},
                    {"comparison", comparisonOf(work, viewer.viewport())},
                    {"panels", panelsOf(viewer)},
                    {"log", logOf(work)},
                    {"notice", work.notice().text},
                    {"status", work.notice().isFresh() ? work.notice().text : ""},
                    {"problem", work.notice().problem},
                    {"frames", viewer.frames()},
                    {"host_ms", viewer.hostMilliseconds()},
                    {"cpu_ms", threadMicroseconds() * 1e-3}};
    writeFileAtomically(path, jsonText(json, 2) + "\n");
}

}  // namespace splat::app
