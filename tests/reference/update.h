#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/adam.h"
#include "reference/model.h"

namespace splat::reference {

/// What has a learning rate of its own.
enum class ParameterClass { means, rotations, logScales, logitOpacities, sh0, shRest };
inline constexpr std::array kParameterClasses{ParameterClass::means,          ParameterClass::rotations, ParameterClass::logScales,
                                              ParameterClass::logitOpacities, ParameterClass::sh0,       ParameterClass::shRest};
constexpr size_t indexOf(ParameterClass c) { return static_cast<size_t>(c); }
std::string_view nameOf(ParameterClass c);

/// One value for each class, in the order of kParameterClasses.
template <class T>
using PerClass = std::array<T, kParameterClasses.size()>;

/// The numbers of each class, splat by splat; of SH coefficient by coefficient, red, green and blue together.
using Numbers = PerClass<std::vector<double>>;
Numbers numbersOf(const Splats& splats);
/// The inverse for as many splats of the same degree as `like` has.
Splats splatsOf(const Numbers& numbers, const Splats& like);

/// What one training step asks of the splats beside the gradient of the picture.
struct UpdateRules {
    PerClass<double> rates{};
    double lrNoise = 0;
    double opacityReg = 0;   ///< weight of the opacities in the loss
    double scaleReg = 0;     ///< weight of the scales in the loss
    uint32_t noiseSeed = 0;  ///< of core/random.h
    std::vector<bool> seen;  ///< per splat: whether the regularisers act on it; empty: on all
};

/// Steps since a view saw each splat, and whether the regularisers act on it: while it is seen, and if `fadeSteps` is not 0, for so many steps
/// after that, and again once two passes over the views have not seen it.
class UnseenSteps {
public:
    UnseenSteps(uint32_t fadeSteps, size_t views) : fadeSteps_(fadeSteps), views_(views) {}

    /// Of the step whose view sees these.
    std::vector<bool> acts(const std::vector<bool>& seen);

private:
    uint32_t fadeSteps_;
    size_t views_;
    std::vector<uint32_t> steps_;
};

/// Value of the regularisers: opacityReg * opacity + scaleReg * mean scale, summed over the seen splats, divided by the number of all.
double regularisation(const Splats& splats, const UpdateRules& rules);

/// Adam's moments of every number of the splats, and the steps that it makes.
class Optimizer {
public:
    explicit Optimizer(const Splats& splats);

    /// Adds the regularisers' gradients to that of the picture, makes Adam's step `step` (from 1) and moves the means by the noise of 3DGS as
    /// Markov chain Monte Carlo (Kheradmand et al. 2024), which reads the splats after the step.
    void update(Splats& splats, Splats gradient, const UpdateRules& rules, int64_t step);

    Numbers first() const;
    Numbers second() const;

private:
    std::vector<AdamMoments> moments_;  ///< a class each
};

/// Three standard normal numbers of a splat (Box and Muller 1958) from core/random.h.
glm::dvec3 normalNumbers(uint32_t seed, uint32_t splat, uint32_t stream);

}  // namespace splat::reference
