#include "train/schedule.h"

#include <algorithm>
#include <cmath>

namespace splat {

namespace {

constexpr double kBeta1 = 0.9;  // shaders/optimize/update_gaussians.slang
constexpr double kBeta2 = 0.999;

double logLinear(double from, double to, double t) { return from > 0 && to > 0 ? from * std::pow(to / from, t) : from + (to - from) * t; }

}  // namespace

uint32_t shDegreeAt(const TrainSettings& settings, uint32_t step) { return std::min(step / settings.shDegreeInterval, settings.shDegree); }

std::vector<shared::FrameParameters> stepSchedule(const TrainSettings& s, double sceneExtent) {
    std::vector<shared::FrameParameters> schedule(s.steps);
    for (uint32_t step = 0; step < s.steps; ++step) {
        const double t = static_cast<double>(step) / s.steps;
        schedule[step] = {.shDegree = shDegreeAt(s, step),
                          .background = s.background,
                          .lrMeans = static_cast<float>(logLinear(s.lrMeans, s.lrMeansFinal, t) * sceneExtent),
                          .lrRotations = static_cast<float>(s.lrRotations),
                          .lrScales = static_cast<float>(s.lrScales),
                          .lrOpacities = static_cast<float>(s.lrOpacities),
                          .lrSh0 = static_cast<float>(s.lrSh0),
                          .lrShRest = static_cast<float>(s.lrShRest),
                          .biasCorrection1 = static_cast<float>(1 - std::pow(kBeta1, step + 1)),
                          .biasCorrection2 = static_cast<float>(1 - std::pow(kBeta2, step + 1))};
    }
    return schedule;
}

}  // namespace splat
