#pragma once

#include <cmath>
#include <concepts>
#include <tuple>

#include <imgui.h>
#include <glm/glm.hpp>

namespace splat::app {

inline bool isNumber(std::floating_point auto number) { return !std::isnan(number); }
inline bool isNumber(const glm::vec3& numbers) { return glm::isnan(numbers) == glm::bvec3(false); }

/// Draws a widget of these numbers and returns whether it changed them. What is typed and is no number changes nothing: Dear ImGui takes "nan" for one, and
/// no limit refuses it.
template <class Draw, class... Numbers>
bool keepNumbers(const Draw& draw, Numbers&... numbers) {
    const std::tuple before(numbers...);
    const bool changed = draw();
    if ((isNumber(numbers) && ...)) return changed;
    std::tie(numbers...) = before;
    return false;
}

constexpr float kFarthest = 1e9F;  // coordinate that can be typed

struct NumberLimits {
    float low, high;
};

/// Dear ImGui's fields to drag and sliders; numbers that are typed are within the limits, too.
bool dragNumber(const char* label, float& number, float speed, NumberLimits limits, const char* format, ImGuiSliderFlags flags = 0);
bool dragNumbers(const char* label, glm::vec3& numbers, float speed, NumberLimits limits, const char* format);
bool slideNumber(const char* label, float& number, NumberLimits limits, const char* format, ImGuiSliderFlags flags = 0);

}  // namespace splat::app
