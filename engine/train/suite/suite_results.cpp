#include <splatwright/train/suite/suite_results.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace splat {

namespace {

std::vector<double> finiteOnly(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    return values;
}

std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
    std::ranges::transform(a, b, a.begin(), std::minus());
    return a;
}

}  // namespace

SuiteResults::SuiteResults(std::vector<std::string> scenes, std::vector<std::string> presets, std::vector<uint32_t> seeds)
    : scenes_(std::move(scenes)),
      presets_(std::move(presets)),
      seeds_(std::move(seeds)),
      runs_(scenes_.size() * presets_.size() * seeds_.size()) {}

std::optional<Figures>& SuiteResults::run(size_t scene, size_t preset, size_t seed) {
    return runs_.at((scene * presets_.size() + preset) * seeds_.size() + seed);
}

const std::optional<Figures>& SuiteResults::run(size_t scene, size_t preset, size_t seed) const {
    return runs_.at((scene * presets_.size() + preset) * seeds_.size() + seed);
}

SuiteResults::PerSeed SuiteResults::perSeed(size_t figure, size_t scene, size_t preset) const {
    PerSeed values(seeds_.size(), std::numeric_limits<double>::quiet_NaN());
    for (size_t seed = 0; seed < seeds_.size(); ++seed) {
        if (const auto& figures = run(scene, preset, seed)) values[seed] = figures->at(figure);
    }
    return values;
}

SuiteResults::PerSeed SuiteResults::meansPerSeed(size_t figure, std::span<const size_t> presets) const {
    PerSeed means(seeds_.size(), 0);
    for (size_t scene = 0; scene < scenes_.size(); ++scene)
        std::ranges::transform(means, perSeed(figure, scene, presets[scene]), means.begin(), std::plus());
    for (double& mean : means) mean /= static_cast<double>(scenes_.size());
    return means;
}

Spread SuiteResults::spread(size_t figure, size_t scene, size_t preset) const {
    return spreadOf(finiteOnly(perSeed(figure, scene, preset)));
}

Spread SuiteResults::spreadOverScenes(size_t figure, size_t preset) const {
    return spreadOf(finiteOnly(meansPerSeed(figure, everywhere(preset))));
}

MeanInterval SuiteResults::difference(size_t figure, size_t scene, size_t preset, size_t base) const {
    return meanInterval(finiteOnly(minus(perSeed(figure, scene, preset), perSeed(figure, scene, base))));
}

MeanInterval SuiteResults::differenceOverScenes(size_t figure, size_t preset, size_t base) const {
    return differenceOverScenes(figure, everywhere(preset), base);
}

MeanInterval SuiteResults::differenceOverScenes(size_t figure, std::span<const size_t> presets, size_t base) const {
    return meanInterval(finiteOnly(minus(meansPerSeed(figure, presets), meansPerSeed(figure, everywhere(base)))));
}

}  // namespace splat
