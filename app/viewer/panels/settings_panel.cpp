#include "viewer/panels/settings_panel.h"
#include "viewer/widgets/numbers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

#include <imgui.h>

#include <imgui_stdlib.h>

namespace splat::app {

namespace {

/// "grow_grad2d" as "grow grad2d".
std::string labelOf(const SettingField& field) {
    std::string label(field.name);
    std::ranges::replace(label, '_', ' ');
    return label;
}

/// Draws a setting by the type of its value. Returns whether it has changed.
struct Widget {
    const char* label;
    const Setting& about;

    bool operator()(std::string* value) const {
        if (about.choices.empty()) {
            ImGui::InputText(label, value);
            return ImGui::IsItemDeactivatedAfterEdit();
        }
        bool changed = false;
        if (!ImGui::BeginCombo(label, value->c_str())) return false;
        for (const std::string_view choice : about.choices) {
            if (ImGui::Selectable(std::string(choice).c_str(), choice == *value)) {
                changed = *value != choice;
                *value = choice;
            }
        }
        ImGui::EndCombo();
        return changed;
    }
    bool operator()(bool* value) const { return ImGui::Checkbox(label, value); }
    bool operator()(uint32_t* value) const {
        const auto low = static_cast<uint32_t>(std::max(about.min, 0.0));
        const auto high = static_cast<uint32_t>(std::min(about.max, static_cast<double>(UINT32_MAX)));
        const bool slides = about.max <= 64;
        const bool changed = slides ? ImGui::SliderScalar(label, ImGuiDataType_U32, value, &low, &high)
                                    : ImGui::InputScalar(label, ImGuiDataType_U32, value);
        *value = std::clamp(*value, low, high);
        return slides ? changed : ImGui::IsItemDeactivatedAfterEdit();
    }
    /// Small numbers, like learning rates, are typed: no slider reaches them.
    bool operator()(double* value) const {
        const bool slides = about.min >= 0 && about.max <= 2;  // a slider reaches every value that one may want
        const auto draw = [&] {
            return slides ? ImGui::SliderScalar(label, ImGuiDataType_Double, value, &about.min, &about.max, "%.3g")
                          : ImGui::InputDouble(label, value, 0, 0, "%.4g");
        };
        const bool changed = keepNumbers(draw, *value);
        *value = std::clamp(*value, about.min, about.max);
        return slides ? changed : ImGui::IsItemDeactivatedAfterEdit();
    }
    bool operator()(glm::vec3* value) const {
        const bool changed = keepNumbers([&] { return ImGui::ColorEdit3(label, &value->x, ImGuiColorEditFlags_Float); }, *value);
        *value = glm::clamp(*value, static_cast<float>(about.min), static_cast<float>(about.max));  // what is typed, too
        return changed;
    }
};

}  // namespace

bool drawSettings(const std::vector<SettingField>& fields, const std::function<bool(const SettingField&)>& locked) {
    bool changed = false;
    std::string_view group;
    bool shown = true;
    ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.48F);
    for (const SettingField& field : fields) {
        if (field.about.group != group) {
            group = field.about.group;
            std::string title(group);
            title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
            shown = ImGui::TreeNodeEx(title.c_str(), ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth);
        }
        if (!shown) continue;
        const bool isLocked = locked && locked(field);
        ImGui::BeginDisabled(isLocked);
        const std::string label = labelOf(field);
        changed |= std::visit(Widget{label.c_str(), field.about}, field.value);
        ImGui::EndDisabled();
        if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) continue;
        const std::string limits = settingLimits(field);
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24);
        ImGui::Text("%s%s%s", std::string(field.about.help).c_str(), limits.empty() ? "" : " ", limits.c_str());
        if (isLocked) ImGui::TextDisabled("takes a new start");
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    ImGui::PopItemWidth();
    return changed;
}

}  // namespace splat::app
