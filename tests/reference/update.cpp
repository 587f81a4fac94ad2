#include "reference/update.h"

#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/core/random.h>
#include "reference/project.h"

namespace splat::reference {
namespace {

constexpr uint32_t kExplorationStream = 1;

/// Calls visit(number) for each number of a class, in the order of Numbers.
template <class AnySplats, class Visit>
void forEachNumber(AnySplats& splats, ParameterClass c, const Visit& visit) {
    const auto each = [&](auto& vectors) {
        for (auto& vector : vectors)
            for (glm::length_t k = 0; k < vector.length(); ++k) visit(vector[k]);
    };
    switch (c) {
        case ParameterClass::means: return each(splats.means);
        case ParameterClass::rotations: return each(splats.rotations);
        case ParameterClass::logScales: return each(splats.logScales);
        case ParameterClass::logitOpacities:
            for (auto& number : splats.logitOpacities) visit(number);
            return;
        case ParameterClass::sh0:
        case ParameterClass::shRest: break;
    }
    const size_t coefficients = shCoefficients(splats.shDegree);
    for (size_t i = 0; i < splats.sh.size(); ++i) {
        const bool constant = i % coefficients == 0;
        if (constant != (c == ParameterClass::sh0)) continue;
        for (glm::length_t k = 0; k < 3; ++k) visit(splats.sh[i][k]);
    }
}

bool isRegularised(const UpdateRules& rules, size_t i) { return rules.seen.empty() || rules.seen[i]; }

/// Derivatives of regularisation().
void regularise(Splats& gradient, const Splats& splats, const UpdateRules& rules) {
    const auto count = static_cast<double>(splats.count());
    for (size_t i = 0; i < splats.count(); ++i) {
        if (!isRegularised(rules, i)) continue;
        const double opacity = sigmoid(splats.logitOpacities[i]);
        gradient.logitOpacities[i] += rules.opacityReg * opacity * (1 - opacity) / count;
        gradient.logScales[i] += rules.scaleReg * glm::exp(splats.logScales[i]) / (3 * count);
    }
}

/// Covariance times standard normal noise; splats whose opacity is above 0.005 hardly move.
glm::dvec3 explorationOf(const Splats& splats, size_t i, uint32_t seed) {
    const glm::dmat3 r = rotationMatrix(glm::normalize(splats.rotations[i]));
    const glm::dvec3 s = glm::exp(splats.logScales[i]);
    const glm::dmat3 axes(r[0] * s.x, r[1] * s.y, r[2] * s.z);
    const glm::dvec3 noise = normalNumbers(seed, static_cast<uint32_t>(i), kExplorationStream);
    const double gate = 1 / (1 + std::exp(100 * (sigmoid(splats.logitOpacities[i]) - 0.005)));
    return axes * glm::transpose(axes) * noise * gate;
}

}  // namespace

std::vector<bool> UnseenSteps::acts(const std::vector<bool>& seen) {
    std::vector<bool> acts;
    steps_.resize(seen.size());
    for (size_t i = 0; i < seen.size(); ++i) {
        steps_[i] = seen[i] ? 0 : steps_[i] + 1;
        acts.push_back(seen[i] || (fadeSteps_ > 0 && (steps_[i] <= fadeSteps_ || steps_[i] > 2 * views_)));
    }
    return acts;
}

double regularisation(const Splats& splats, const UpdateRules& rules) {
    double opacities = 0, scales = 0;
    for (size_t i = 0; i < splats.count(); ++i) {
        if (!isRegularised(rules, i)) continue;
        opacities += sigmoid(splats.logitOpacities[i]);
        for (int k = 0; k < 3; ++k) scales += std::exp(splats.logScales[i][k]);
    }
    const auto count = static_cast<double>(splats.count());
    return rules.opacityReg * opacities / count + rules.scaleReg * scales / (3 * count);
}

std::string_view nameOf(ParameterClass c) {
    constexpr PerClass<std::string_view> kNames{"means", "rotations", "log_scales", "logit_opacities", "sh0", "sh_rest"};
    return kNames[indexOf(c)];
}

Numbers numbersOf(const Splats& splats) {
    Numbers numbers;
    for (const ParameterClass c : kParameterClasses)
        forEachNumber(splats, c, [&](double number) { numbers[indexOf(c)].push_back(number); });
    return numbers;
}

Splats splatsOf(const Numbers& numbers, const Splats& like) {
    Splats splats = zerosLike(like);
    for (const ParameterClass c : kParameterClasses) {
        size_t i = 0;
        forEachNumber(splats, c, [&](double& number) { number = numbers[indexOf(c)].at(i++); });
        SPLAT_CHECK(i == numbers[indexOf(c)].size(), "{} numbers of class {}, expected {}", numbers[indexOf(c)].size(), nameOf(c), i);
    }
    return splats;
}

Optimizer::Optimizer(const Splats& splats) {
    for (const std::vector<double>& numbers : numbersOf(splats)) moments_.emplace_back(numbers.size());
}

void Optimizer::update(Splats& splats, Splats gradient, const UpdateRules& rules, int64_t step) {
    regularise(gradient, splats, rules);
    Numbers parameters = numbersOf(splats);
    const Numbers gradients = numbersOf(gradient);
    for (const ParameterClass c : kParameterClasses) {
        const size_t i = indexOf(c);
        adamStep(parameters[i], gradients[i], moments_[i], step, {.learningRate = rules.rates[i]});
    }
    splats = splatsOf(parameters, splats);
    if (rules.lrNoise == 0) return;
    for (size_t i = 0; i < splats.count(); ++i) splats.means[i] += rules.lrNoise * explorationOf(splats, i, rules.noiseSeed);
}

Numbers Optimizer::first() const {
    Numbers numbers;
    for (size_t i = 0; i < moments_.size(); ++i) numbers[i] = moments_[i].first;
    return numbers;
}

Numbers Optimizer::second() const {
    Numbers numbers;
    for (size_t i = 0; i < moments_.size(); ++i) numbers[i] = moments_[i].second;
    return numbers;
}

glm::dvec3 normalNumbers(uint32_t seed, uint32_t splat, uint32_t stream) {
    const auto words = random128(seed, splat, stream);
    const auto pair = [](uint32_t a, uint32_t b) {
        const double radius = std::sqrt(-2 * std::log((a + 0.5) * 0x1p-32));
        const double angle = 6.283185307179586 * (b >> 8u) * 0x1p-24;
        return glm::dvec2(std::cos(angle), std::sin(angle)) * radius;
    };
    return {pair(words[0], words[1]), pair(words[2], words[3]).x};
}

}  // namespace splat::reference
