#pragma once

#include <string>

#include <splatwright/train/evaluate/evaluation.h>

namespace splat {

/// Says that the renders are hardly better than flat pictures in the mean colours of their images: less than 3 dB. Empty: they are better, or
/// all images are themselves almost flat, so that nothing can be said.
std::string flatWarning(const Evaluation& evaluation);

}  // namespace splat
