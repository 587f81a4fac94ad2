#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/train/session/training_data.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// What the setting `colour_test` has found before training, and decided.
struct ColourTest {
    size_t photographs = 0;            ///< that show enough coloured points
    std::optional<double> difference;  ///< ColourVariation::difference of the training images
    bool act = false;                  ///< whether colour grids act from the first step on

    bool operator==(const ColourTest&) const = default;
};

/// Whether `colour_test` is on, and neither exposures nor colour grids are on by themselves.
bool asksForColourTest(const TrainSettings& settings);

/// Compares the training images, which must still have their pixels. None if the settings do not ask for it.
std::optional<ColourTest> testColours(const TrainingData& data, const TrainSettings& settings);

/// The settings with a colour grid per training image that acts from the first step on, if the test has decided so. Unchanged if the settings do
/// not ask for the test any more, or have exposures. Doing so twice changes nothing more.
TrainSettings withColourTest(TrainSettings settings, const std::optional<ColourTest>& test);

/// What was found and decided, for users.
std::string textOf(const ColourTest& test);

/// `colours` in metrics.json and in checkpoints.
nlohmann::ordered_json toJson(const ColourTest& test);
/// None as well if a checkpoint's header has no `colours`, or a damaged one.
std::optional<ColourTest> colourTestIn(const nlohmann::ordered_json& header);

}  // namespace splat
