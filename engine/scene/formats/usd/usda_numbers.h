#pragma once

#include <vector>

#include <splatwright/scene/formats/usd/usda_document.h>

namespace splat {

/// The numbers of an array of tuples of this size, or of numbers for 1, one after the other. Works on all cores. Throws InputError.
std::vector<float> usdaArray(const UsdaText& text, std::string_view value, size_t tuple);

/// The numbers of a single value: a number, a tuple, a matrix. Throws InputError unless they are finite and so many.
std::vector<double> usdaNumbers(const UsdaText& text, std::string_view value, size_t count);

}  // namespace splat
