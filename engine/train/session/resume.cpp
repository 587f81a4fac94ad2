#include <splatwright/train/session/resume.h>

#include <cmath>

#include <glm/glm.hpp>

#include <splatwright/core/log.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/checkpoint/checkpoint.h>

namespace splat {

namespace {

using json = nlohmann::ordered_json;

std::string sizeOf(const json& view) { return fmt::format("{}x{}", jsonText(view.at("width")), jsonText(view.at("height"))); }

/// Describes training views and frame for a checkpoint's header, so that checkSameData() can detect another dataset.
json describeData(const TrainingData& data) {
    const TrainingFrame& frame = data.frame;
    json list = json::array();
    for (const Photograph& view : data.train)
        list.push_back({{"name", view.name}, {"width", view.image.width}, {"height", view.image.height}});
    return {{"path", data.path},
            {"dataset", data.format},
            {"frame", {{"centre", {frame.centre.x, frame.centre.y, frame.centre.z}}, {"scale", frame.scale}}},
            {"views", std::move(list)}};
}

TrainingFrame frameOf(const json& data) {
    const json &frame = data.at("frame"), &centre = frame.at("centre");
    return {.centre = {centre.at(0).get<double>(), centre.at(1).get<double>(), centre.at(2).get<double>()},
            .scale = frame.at("scale").get<double>()};
}

[[noreturn]] void refuseData(const Checkpoint& checkpoint, const json& data) {
    throw InputError("{}: data is {}, expected path, frame and views", checkpoint.path.string(), jsonText(data));
}

}  // namespace

CheckpointData dataOf(const Checkpoint& checkpoint) {
    const json data = checkpoint.value<json>("data");
    try {
        const json& first = data.at("views").at(0);
        const CheckpointData found{
            .frame = frameOf(data),
            .size = {wholeNumber<uint32_t>(first.at("width")).value(), wholeNumber<uint32_t>(first.at("height")).value()}};
        if (found.frame.scale > 0 && found.size.x > 0 && found.size.y > 0) return found;
    } catch (const std::exception&) {  // a key is missing, of another type or out of range
    }
    refuseData(checkpoint, data);
}

RunHistory historyOf(const Checkpoint& checkpoint) {
    RunHistory history{.trainSeconds = checkpoint.value<double>("train_seconds"),
                       .totalSeconds = checkpoint.value<double>("total_seconds"),
                       .resumedFrom = checkpoint.value<std::vector<uint32_t>>("resumed_from")};
    history.resumedFrom.push_back(checkpoint.value<uint32_t>("step"));
    return history;
}

std::string resumedFormat(const std::string& asked, const Checkpoint& checkpoint, std::string_view where) {
    const auto data = checkpoint.header.find("data");
    const bool isNamed =
        data != checkpoint.header.end() && data->is_object() && data->contains("dataset") && data->at("dataset").is_string();
    const std::string before = isNamed ? data->at("dataset").get<std::string>() : "";
    if (asked.empty() || before.empty() || asked == before) return asked.empty() ? before : asked;
    throw InputError("{}: found {}, expected {}, as in {}", where, asked, before, checkpoint.path.string());
}

void checkSameData(const Checkpoint& checkpoint, const TrainingData& data) {
    const json now = describeData(data), before = checkpoint.value<json>("data");
    const auto refuse = [&](const std::string& what, const std::string& is, const std::string& was) {
        throw InputError("{}: {} {}, expected {}, as in {}", data.path, what, is, was, checkpoint.path.string());
    };
    try {
        const json &found = now.at("views"), &expected = before.at("views");
        if (found.size() != expected.size())
            refuse("the number of training views is", std::to_string(found.size()), std::to_string(expected.size()));
        for (size_t i = 0; i < found.size(); ++i) {
            const auto name = found[i].at("name").get<std::string>(), was = expected[i].at("name").get<std::string>();
            if (name != was) refuse(fmt::format("training view {} is", i + 1), "'" + name + "'", "'" + was + "'");
            if (sizeOf(found[i]) != sizeOf(expected[i])) refuse("'" + name + "' is", sizeOf(found[i]), sizeOf(expected[i]));
        }
        // The training frames depend on all poses; the last digits may differ between compilers.
        constexpr double kTolerance = 1e-6;  // of the scene
        const TrainingFrame is = frameOf(now), was = frameOf(before);
        const bool same =
            glm::distance(is.centre, was.centre) * was.scale <= kTolerance && std::abs(is.scale / was.scale - 1) <= kTolerance;
        if (!same) refuse("the cameras' centre and scale are", jsonText(now.at("frame")), jsonText(before.at("frame")));
    } catch (const json::exception&) {
        refuseData(checkpoint, before);
    }
}

void restore(Trainer& trainer, const Checkpoint& checkpoint, const std::string& device) {
    const auto found = checkpoint.value<std::string>("device");
    if (found != device) {
        spdlog::warn("{} was written on '{}'; continued on '{}', the run is not bit-identical", checkpoint.path.string(), found, device);
    }
    trainer.restore(checkpoint);
}

void describeRun(Checkpoint& checkpoint, RunDescription run) {
    auto& header = checkpoint.header;
    header["version"] = run.version;
    header["device"] = run.device;
    header["train_seconds"] = run.history.trainSeconds;
    header["total_seconds"] = run.history.totalSeconds;
    header["resumed_from"] = run.history.resumedFrom;
    header["watch"] = std::move(run.watch);
    header["settings"] = settingsToJson(settingFields(run.settings));
    if (run.colourTest) header["colours"] = toJson(*run.colourTest);
    header["data"] = describeData(run.data);
}

}  // namespace splat
