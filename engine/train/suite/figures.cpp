#include <splatwright/train/suite/figures.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/train/suite/statistics.h>

namespace splat {

namespace {

using nlohmann::json;

/// Null stands for NaN: JSON has none.
double numberOf(const json& value) { return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>(); }

/// Null stands for the infinite PSNR of an exact render.
std::vector<double> viewScores(const json& metrics) {
    std::vector<double> scores;
    for (const json& view : metrics.at("views")) {
        const json& psnr = view.at("psnr");
        scores.push_back(psnr.is_null() ? std::numeric_limits<double>::infinity() : psnr.get<double>());
    }
    return scores;
}

constexpr std::array<Figure, kFigures> kTable{{
    {"psnr", "PSNR", 2, true, [](const json& m) { return numberOf(m.at("psnr")); }},
    {"ssim", "SSIM", 4, false, [](const json& m) { return numberOf(m.at("ssim")); }},
    {"worst_view", "worst view", 2, false,
     [](const json& m) {
         const auto scores = viewScores(m);
         return scores.empty() ? std::numeric_limits<double>::quiet_NaN() : std::ranges::min(scores);
     }},
    {"worst_decile", "worst tenth", 2, true, [](const json& m) { return meanOfWorstTenth(viewScores(m)); }},
    {"splats", "splats", 0, false, [](const json& m) { return numberOf(m.at("splats")); }},
    {"seconds", "seconds", 1, false, [](const json& m) { return numberOf(m.at("train_seconds")); }},
    {"peak_mib", "MiB", 0, false, [](const json& m) { return numberOf(m.at("peak_device_mib")); }},
}};

}  // namespace

const std::array<Figure, kFigures>& figureTable() { return kTable; }

Figures figuresOf(const json& metrics, std::string_view where) {
    Figures figures{};
    for (size_t i = 0; i < kFigures; ++i) {
        try {
            figures[i] = kTable[i].of(metrics);
        } catch (const json::exception& problem) {
            throw InputError("{}: {} cannot be read: {}", where, kTable[i].name, problem.what());
        }
    }
    return figures;
}

}  // namespace splat
