#pragma once

#include <vector>

#include <splatwright/shared/training.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

/// What each step uses, computed in double on the host once: learning rates, Adam's bias corrections, SH degree, background. rateScale multiplies
/// all learning rates.
std::vector<shared::StepParameters> stepSchedule(const TrainSettings& settings, double sceneExtent, double rateScale = 1);

/// What lies behind the splats at a step counted from 0: with random backgrounds a uniform colour that the seed and the step alone decide.
glm::vec3 backgroundAt(const TrainSettings& settings, uint32_t step);

/// The step, counted from 0, from which on training images have full size; 0 if they have it from the start.
uint32_t fullSizeStep(const TrainSettings& settings);

/// Number of sizes of the training images that the settings use.
uint32_t levelsOf(const TrainSettings& settings);
/// How often the training images are halved at a step counted from 0. Each size is used for steps in proportion to it.
uint32_t levelAt(const TrainSettings& settings, uint32_t step);

/// Active SH degree at a step counted from 0.
uint32_t shDegreeAt(const TrainSettings& settings, uint32_t step);

}  // namespace splat
