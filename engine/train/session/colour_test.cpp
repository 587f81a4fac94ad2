#include <splatwright/train/session/colour_test.h>

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <splatwright/scene/photographs/colour_variation.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>

namespace splat {

using json = nlohmann::ordered_json;

namespace {

constexpr const char* kKey = "colours";
constexpr double kLeastDifference = 0.04;  // below it, grids cost more than they gain: engine/train/PERFORMANCE.md, changes of colours

}  // namespace

bool asksForColourTest(const TrainSettings& settings) {
    return settings.of<ColourChangeSettings>().test && !settings.of<ExposureSettings>().exposure &&
           !settings.of<ColourGridSettings>().colourGrid;
}

std::optional<ColourTest> testColours(const TrainingData& data, const TrainSettings& settings) {
    if (!asksForColourTest(settings)) return {};
    const ColourVariation found = colourVariation(data.train, data.points);
    return ColourTest{found.photographs, found.difference, found.difference.value_or(0) >= kLeastDifference};
}

TrainSettings withColourTest(TrainSettings settings, const std::optional<ColourTest>& test) {
    if (!test || !test->act || !settings.of<ColourChangeSettings>().test || settings.of<ExposureSettings>().exposure) return settings;
    settings.of<ColourGridSettings>().colourGrid = true;
    settings.of<ColourChangeSettings>().least = 0;
    return settings;
}

std::string textOf(const ColourTest& test) {
    if (!test.difference)
        return fmt::format("the photographs are not compared: {} of them show enough points with colours, expected at least {}",
                           test.photographs, ColourVariation::kFewestCompared);
    const double percent = 100 * *test.difference, least = 100 * kLeastDifference;
    if (test.act)
        return fmt::format(
            "the photographs differ by {:.1f} %: a colour grid per photograph compensates (`colour_test=false` trains without)", percent);
    return fmt::format("the photographs differ by {:.1f} %, less than {:.0f} %: nothing compensates (`colour_grid=true` does)", percent,
                       least);
}

json toJson(const ColourTest& test) {
    return {{"photographs", test.photographs}, {"difference", test.difference ? json(*test.difference) : json()}, {"act", test.act}};
}

std::optional<ColourTest> colourTestIn(const json& header) {
    try {
        const auto found = header.find(kKey);
        if (found == header.end()) return {};
        ColourTest test{.photographs = found->at("photographs").get<size_t>(), .difference = {}, .act = found->at("act").get<bool>()};
        if (const json& difference = found->at("difference"); !difference.is_null()) test.difference = difference.get<double>();
        return test;
    } catch (const json::exception&) {
        return {};
    }
}

}  // namespace splat
