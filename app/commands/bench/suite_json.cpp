#include "commands/bench/suite_json.h"

#include <splatwright/core/finite_or_null.h>
#include <splatwright/train/session/report.h>
#include <splatwright/train/suite/leave_one_out.h>

namespace splat::app {

namespace {

using json = nlohmann::ordered_json;

json toJson(const Figures& figures) {
    json object = json::object();
    for (size_t i = 0; i < kFigures; ++i) object[std::string(figureTable()[i].name)] = finiteOrNull(figures[i]);
    return object;
}

json toJson(const Spread& spread) {
    return {{"seeds", spread.count}, {"mean", finiteOrNull(spread.mean)}, {"deviation", finiteOrNull(spread.deviation)}};
}

json toJson(const MeanInterval& interval) {
    return {{"pairs", interval.count},
            {"mean", finiteOrNull(interval.mean)},
            {"low", finiteOrNull(interval.low())},
            {"high", finiteOrNull(interval.high())}};
}

json toJson(const SuiteRun& run, const SuiteResults& results) {
    const nlohmann::json metrics = metricsOf(run);
    return {{"name", run.name},
            {"scene", results.scenes()[run.scene]},
            {"preset", results.presets()[run.preset]},
            {"seed", results.seeds()[run.seed]},
            {"figures", toJson(*results.run(run.scene, run.preset, run.seed))},
            {"device", metrics.at("device")},
            {"version", metrics.at("version")},
            {"settings", metrics.at("settings")}};
}

/// An object with a member per figure that `has` returns true for.
template <class Has, class Value>
json perFigure(const Has& has, const Value& value) {
    json object = json::object();
    for (size_t i = 0; i < kFigures; ++i) {
        if (has(figureTable()[i])) object[std::string(figureTable()[i].name)] = toJson(value(i));
    }
    return object;
}

/// A list of {scene, preset, ...}, where a null scene stands for the mean over scenes.
template <class OfScene, class OverScenes>
json perPreset(const SuiteResults& results, const OfScene& ofScene, const OverScenes& overScenes) {
    json list = json::array();
    const auto add = [&](const json& scene, size_t preset, const json& figures) {
        if (!figures.is_null()) list.push_back({{"scene", scene}, {"preset", results.presets()[preset]}, {"figures", figures}});
    };
    for (size_t preset = 0; preset < results.presets().size(); ++preset) {
        for (size_t scene = 0; scene < results.scenes().size(); ++scene) add(results.scenes()[scene], preset, ofScene(scene, preset));
        add(nullptr, preset, overScenes(preset));
    }
    return list;
}

json differences(const SuiteResults& results, size_t base) {
    const auto quality = [](const Figure& figure) { return figure.isQuality; };
    return perPreset(
        results,
        [&](size_t scene, size_t preset) {
            if (preset == base) return json();
            return perFigure(quality, [&](size_t i) { return results.difference(i, scene, preset, base); });
        },
        [&](size_t preset) {
            if (preset == base) return json();
            return perFigure(quality, [&](size_t i) { return results.differenceOverScenes(i, preset, base); });
        });
}

/// What a choice on all scenes but one gains on that one.
json leftOut(const SuiteResults& results, size_t base) {
    const auto quality = [](const Figure& figure) { return figure.isQuality; };
    const std::vector<size_t> chosen = chosenOnOthers(results, base);
    json list = json::array();
    for (size_t scene = 0; scene < chosen.size(); ++scene) {
        list.push_back({{"scene", results.scenes()[scene]},
                        {"chosen", results.presets()[chosen[scene]]},
                        {"figures", perFigure(quality, [&](size_t i) { return results.difference(i, scene, chosen[scene], base); })}});
    }
    return {{"to", results.presets()[base]},
            {"scenes", list},
            {"over_scenes", perFigure(quality, [&](size_t i) { return results.differenceOverScenes(i, chosen, base); })}};
}

json runsOf(const SuiteReport& report) {
    json list = json::array();
    for (const SuiteRun& run : report.runs) {
        if (report.results.run(run.scene, run.preset, run.seed)) list.push_back(toJson(run, report.results));
    }
    for (const MergedRun& run : report.merged) list.push_back(run.entry);
    return list;
}

}  // namespace

json suiteToJson(const SuiteReport& report) {
    const SuiteResults& results = report.results;
    const std::optional<size_t> base = report.base;
    const json list = runsOf(report);
    const auto all = [](const Figure&) { return true; };
    const json means = perPreset(
        results, [&](size_t scene, size_t preset) { return perFigure(all, [&](size_t i) { return results.spread(i, scene, preset); }); },
        [&](size_t preset) { return perFigure(all, [&](size_t i) { return results.spreadOverScenes(i, preset); }); });
    json suite{{"scenes", results.scenes()},
               {"presets", results.presets()},
               {"seeds", results.seeds()},
               {"version", list.empty() ? json() : list.front().at("version")},
               {"runs", list},
               {"means", means}};
    if (base) suite["comparison"] = {{"to", results.presets()[*base]}, {"differences", differences(results, *base)}};
    if (report.leaveOneOut) suite["leave_one_out"] = leftOut(results, *base);
    return suite;
}

}  // namespace splat::app
