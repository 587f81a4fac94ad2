#include "viewer/widgets/curves.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

namespace splat::app {

size_t pointUnder(float at, float low, float high, size_t points) {
    if (points < 2 || !(high > low)) return 0;
    const float part = std::clamp((at - low) / (high - low), 0.0F, 1.0F);
    return static_cast<size_t>(std::lround(part * static_cast<float>(points - 1)));
}

std::string pointText(const Curve& curve, size_t point) { return fmt::format("step {}: {:.4g}", curve.steps[point], curve.values[point]); }

void plotCurve(const char* id, const Curve& curve, float least, float largest, glm::vec2 size) {
    const bool own = !(least < largest);
    ImGui::PlotLines(id, curve.values.data(), static_cast<int>(curve.values.size()), 0, nullptr, own ? FLT_MAX : least,
                     own ? FLT_MAX : largest, {size.x, size.y});
    if (curve.values.empty() || !ImGui::IsItemHovered()) return;
    const float edge = ImGui::GetStyle().FramePadding.x;
    const size_t point =
        pointUnder(ImGui::GetMousePos().x, ImGui::GetItemRectMin().x + edge, ImGui::GetItemRectMax().x - edge, curve.values.size());
    ImGui::SetTooltip("%s", pointText(curve, point).c_str());  // in place of Dear ImGui's own, which has the index
}

}  // namespace splat::app
