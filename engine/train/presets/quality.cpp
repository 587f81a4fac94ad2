#include <splatwright/train/presets/quality.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/read_number.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/presets/presets.h>
#include <splatwright/train/presets/requested_settings.h>

namespace splat {

namespace {

constexpr std::array kScale{"fast", "balanced", "best"};  // evenly spaced

/// Counts that the presets share out between them; others are those of the nearer preset.
constexpr std::array<uint32_t TrainSettings::*, 7> kCounts{
    &TrainSettings::steps,        &TrainSettings::minSteps,         &TrainSettings::densifyFrom, &TrainSettings::densifyUntil,
    &TrainSettings::fullSizeFrom, &TrainSettings::shDegreeInterval, &TrainSettings::maxSplats};

/// Evenly spaced factors: half way between 100 and 400 is 200. 0 stands for no limit, which nothing is near.
uint32_t between(uint32_t low, uint32_t high, double share) {
    if (low == 0 || high == 0) return share < 0.5 ? low : high;
    return static_cast<uint32_t>(std::lround(low * std::pow(static_cast<double>(high) / low, share)));
}

}  // namespace

nlohmann::json qualitySettings(const std::string& text, std::string_view where) {
    if (std::ranges::find(kScale, text) != kScale.end()) return readPreset("train", text, where);
    double quality = 0;
    if (!readNumber(text, quality) || !(quality >= 0 && quality <= 1))
        throw InputError("{}: found '{}', expected fast, balanced, best or a number from 0 to 1", where, text);
    constexpr size_t kIntervals = kScale.size() - 1;
    const auto lower = std::min(static_cast<size_t>(quality * kIntervals), kIntervals - 1);
    const double share = quality * kIntervals - static_cast<double>(lower);
    nlohmann::json settings = readPreset("train", kScale[share < 0.5 ? lower : lower + 1], where);
    TrainSettings low = resolveSettings({.preset = kScale[lower]});
    const TrainSettings high = resolveSettings({.preset = kScale[lower + 1]});
    for (const SettingField& field : settingFields(low)) {
        const auto isOf = [&](auto count) { return field.value == decltype(field.value)(&(low.*count)); };
        const auto count = std::ranges::find_if(kCounts, isOf);
        if (count != kCounts.end()) settings[std::string(field.name)] = between(low.*(*count), high.*(*count), share);
    }
    return settings;
}

}  // namespace splat
