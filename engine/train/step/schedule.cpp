#include <splatwright/train/step/schedule.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/rng.h>

namespace splat {

namespace {

double logLinear(double from, double to, double t) { return from > 0 && to > 0 ? from * std::pow(to / from, t) : from + (to - from) * t; }

}  // namespace

glm::vec3 backgroundAt(const TrainSettings& settings, uint32_t step) {
    if (!settings.randomBackground) return settings.background;
    constexpr uint64_t kStride = 0xd1b54a32d192ed03u;  // not the generator's own, so that no two steps share numbers
    Rng rng(Rng(settings.seed).next() + kStride * (uint64_t{step} + 1));
    const auto channel = [&] { return static_cast<float>(rng.uniform()); };
    const float red = channel(), green = channel();
    return {red, green, channel()};
}

uint32_t shDegreeAt(const TrainSettings& settings, uint32_t step) { return std::min(step / settings.shDegreeInterval, settings.shDegree); }

std::vector<shared::StepParameters> stepSchedule(const TrainSettings& s, double sceneExtent) {
    std::vector<shared::StepParameters> schedule(s.steps);
    for (uint32_t step = 0; step < s.steps; ++step) {
        const double t = static_cast<double>(step) / s.steps;
        const double lrMeans = logLinear(s.lrMeans, s.lrMeansFinal, t) * sceneExtent;
        schedule[step] = {.frame = {.shDegree = shDegreeAt(s, step), .background = backgroundAt(s, step)},
                          .lrMeans = static_cast<float>(lrMeans),
                          .lrRotations = static_cast<float>(s.lrRotations),
                          .lrScales = static_cast<float>(s.lrScales),
                          .lrOpacities = static_cast<float>(s.lrOpacities),
                          .lrSh0 = static_cast<float>(s.lrSh0),
                          .lrShRest = static_cast<float>(s.lrShRest),
                          .biasCorrection1 = static_cast<float>(1 - std::pow(shared::kBeta1, step + 1)),
                          .biasCorrection2 = static_cast<float>(1 - std::pow(shared::kBeta2, step + 1)),
                          .lrNoise = static_cast<float>(lrMeans * s.noiseLr),
                          .lrExposure = static_cast<float>(logLinear(s.lrExposure, s.lrExposureFinal, t)),
                          .lrPoses = static_cast<float>(logLinear(s.lrPoses, s.lrPosesFinal, t))};
    }
    return schedule;
}

}  // namespace splat
