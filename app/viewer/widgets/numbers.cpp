#include "viewer/widgets/numbers.h"

namespace splat::app {

namespace {

constexpr ImGuiSliderFlags kClamps = ImGuiSliderFlags_AlwaysClamp;

}  // namespace

bool dragNumber(const char* label, float& number, float speed, NumberLimits limits, const char* format, ImGuiSliderFlags flags) {
    const auto draw = [&] { return ImGui::DragFloat(label, &number, speed, limits.low, limits.high, format, flags | kClamps); };
    return keepNumbers(draw, number);
}

bool dragNumbers(const char* label, glm::vec3& numbers, float speed, NumberLimits limits, const char* format) {
    return keepNumbers([&] { return ImGui::DragFloat3(label, &numbers.x, speed, limits.low, limits.high, format, kClamps); }, numbers);
}

bool slideNumber(const char* label, float& number, NumberLimits limits, const char* format, ImGuiSliderFlags flags) {
    return keepNumbers([&] { return ImGui::SliderFloat(label, &number, limits.low, limits.high, format, flags | kClamps); }, number);
}

}  // namespace splat::app
