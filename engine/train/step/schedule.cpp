#include <splatwright/train/step/schedule.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <splatwright/core/rng.h>
#include <splatwright/train/parts/step_part.h>
#include <splatwright/train/settings/decayed_rate.h>

namespace splat {

glm::vec3 backgroundAt(const TrainSettings& settings, uint32_t step) {
    if (!settings.randomBackground) return settings.background;
    constexpr uint64_t kStride = 0xd1b54a32d192ed03u;  // not the generator's own, so that no two steps share numbers
    Rng rng(Rng(settings.seed).next() + kStride * (uint64_t{step} + 1));
    const auto channel = [&] { return static_cast<float>(rng.uniform()); };
    const float red = channel(), green = channel();
    return {red, green, channel()};
}

uint32_t shDegreeAt(const TrainSettings& settings, uint32_t step) {
    if (settings.startsFromFile()) return settings.shDegree;  // the coefficients are not to be hidden
    return std::min(step / settings.shDegreeInterval, settings.shDegree);
}

uint32_t fullSizeStep(const TrainSettings& settings) {
    if (levelsOf(settings) == 1) return 0;
    return std::min(settings.fullSizeFrom, settings.steps / 2);  // a preset's, where only `steps` was given
}

uint32_t levelsOf(const TrainSettings& settings) { return 1 + static_cast<uint32_t>(std::bit_width(settings.startDownscale / 2)); }

uint32_t levelAt(const TrainSettings& settings, uint32_t step) {
    const uint32_t fullSizeFrom = fullSizeStep(settings);
    if (step >= fullSizeFrom) return 0;
    const uint64_t sizes = levelsOf(settings) - 1;
    const uint64_t shares = (uint64_t{1} << sizes) - 1;  // each size takes half as many as the next larger one
    const uint64_t share = step * shares / fullSizeFrom;
    return static_cast<uint32_t>(sizes + 1 - std::bit_width(share + 1));
}

std::vector<shared::StepParameters> stepSchedule(const TrainSettings& s, double sceneExtent, double rateScale) {
    std::vector<shared::StepParameters> schedule(s.steps);
    for (uint32_t step = 0; step < s.steps; ++step) {
        // The rates of rotations, scales, opacities and colours stay until the refinements end.
        const bool settles = step >= s.densifyUntil;
        const double settling =
            rateScale * (settles ? std::pow(s.lrFinalFactor, static_cast<double>(step - s.densifyUntil) / (s.steps - s.densifyUntil)) : 1);
        const double lrMeans = decayedRate(s.lrMeans, s.lrMeansFinal, s, step) * sceneExtent * rateScale;
        schedule[step] = {.frame = {.shDegree = shDegreeAt(s, step), .background = backgroundAt(s, step)},
                          .lrMeans = static_cast<float>(lrMeans),
                          .lrRotations = static_cast<float>(s.lrRotations * settling),
                          .lrScales = static_cast<float>(s.lrScales * settling),
                          .lrOpacities = static_cast<float>(s.lrOpacities * settling),
                          .lrSh0 = static_cast<float>(s.lrSh0 * settling),
                          .lrShRest = static_cast<float>(s.lrShRest * settling),
                          .biasCorrection1 = static_cast<float>(1 - std::pow(shared::kBeta1, step + 1)),
                          .biasCorrection2 = static_cast<float>(1 - std::pow(shared::kBeta2, step + 1)),
                          .lrNoise = static_cast<float>(lrMeans * s.noiseLr)};
        std::ranges::copy(partNumbers(s, step, rateScale), schedule[step].parts);
    }
    return schedule;
}

}  // namespace splat
