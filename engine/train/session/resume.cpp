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

/// Two descriptions of data, and their names in messages.
struct Comparison {
    const json& found;
    const json& expected;
    std::string where, as;

    [[noreturn]] void refuse(const std::string& what, const std::string& is, const std::string& was) const {
        throw InputError("{}: {} {}, expected {}, as in {}", where, what, is, was, as);
    }
};

std::string sizeOf(const json& view) { return fmt::format("{}x{}", jsonText(view.at("width")), jsonText(view.at("height"))); }

void compareViews(const Comparison& c) {
    const json &found = c.found.at("views"), &expected = c.expected.at("views");
    if (found.size() != expected.size()) {
        c.refuse("the number of training views is", std::to_string(found.size()), std::to_string(expected.size()));
    }
    for (size_t i = 0; i < found.size(); ++i) {
        const auto name = found[i].at("name").get<std::string>(), before = expected[i].at("name").get<std::string>();
        if (name != before) c.refuse(fmt::format("training view {} is", i + 1), "'" + name + "'", "'" + before + "'");
        if (sizeOf(found[i]) != sizeOf(expected[i])) c.refuse("'" + name + "' is", sizeOf(found[i]), sizeOf(expected[i]));
    }
}

/// Compares the training frames, which depend on all poses; the last digits may differ between compilers.
void compareFrames(const Comparison& c) {
    constexpr double kTolerance = 1e-6;  // of the scene
    const auto centre = [](const json& data) {
        const json& at = data.at("frame").at("centre");
        return glm::dvec3(at.at(0).get<double>(), at.at(1).get<double>(), at.at(2).get<double>());
    };
    const auto scale = [](const json& data) { return data.at("frame").at("scale").get<double>(); };
    const bool same = glm::distance(centre(c.found), centre(c.expected)) * scale(c.expected) <= kTolerance &&
                      std::abs(scale(c.found) / scale(c.expected) - 1) <= kTolerance;
    if (!same) c.refuse("the cameras' centre and scale are", jsonText(c.found.at("frame")), jsonText(c.expected.at("frame")));
}

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

}  // namespace

RunHistory historyOf(const Checkpoint& checkpoint) {
    RunHistory history{.trainSeconds = checkpoint.value<double>("train_seconds"),
                       .totalSeconds = checkpoint.value<double>("total_seconds"),
                       .resumedFrom = checkpoint.value<std::vector<uint32_t>>("resumed_from")};
    history.resumedFrom.push_back(checkpoint.value<uint32_t>("step"));
    return history;
}

std::string datasetFormatOf(const Checkpoint& checkpoint) {
    const auto data = checkpoint.header.find("data");
    if (data == checkpoint.header.end() || !data->is_object()) return "";
    const auto format = data->find("dataset");
    return format != data->end() && format->is_string() ? format->get<std::string>() : "";
}

std::string resumedFormat(const std::string& asked, const Checkpoint& checkpoint, std::string_view where) {
    const std::string before = datasetFormatOf(checkpoint);
    if (asked.empty() || before.empty() || asked == before) return asked.empty() ? before : asked;
    throw InputError("{}: found {}, expected {}, as in {}", where, asked, before, checkpoint.path.string());
}

void checkSameData(const Checkpoint& checkpoint, const TrainingData& data) {
    const json found = describeData(data), expected = checkpoint.value<json>("data");
    const Comparison comparison{found, expected, data.path, checkpoint.path.string()};
    try {
        compareViews(comparison);
        compareFrames(comparison);
    } catch (const json::exception&) {
        throw InputError("{}: data is {}, expected path, frame and views", checkpoint.path.string(), jsonText(expected));
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
    header["data"] = describeData(run.data);
}

}  // namespace splat
