// Numbers of settings, as a user may type them into a panel.
#include "viewer/panels/settings_panel.h"

#include <cctype>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <imgui.h>

#include <splatwright/train/settings/settings.h>
#include <splatwright/view/render_modes.h>
#include "viewer/widgets/numbers.h"

namespace splat::app {
namespace {

struct SettingsPanel : testing::Test {
    SettingsPanel() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {640, 480};
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    }
    ~SettingsPanel() override { ImGui::DestroyContext(); }
    SettingsPanel(const SettingsPanel&) = delete;
    SettingsPanel& operator=(const SettingsPanel&) = delete;

    /// One frame with all groups open.
    static void draw(const std::vector<SettingField>& fields) {
        ImGui::NewFrame();
        ImGui::Begin("settings");
        for (const SettingField& field : fields) {
            std::string title(field.about.group);
            title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
            ImGui::GetStateStorage()->SetInt(ImGui::GetID(title.c_str()), 1);
        }
        drawSettings(fields);
        ImGui::End();
        ImGui::EndFrame();
    }
};

/// Counts the numbers that `check` has seen.
struct Numbers {
    std::function<void(const SettingField&, double)> check;
    const SettingField& field;
    void operator()(const uint32_t* value) const { check(field, *value); }
    void operator()(const double* value) const { check(field, *value); }
    void operator()(const glm::vec3* value) const {
        for (int i = 0; i < 3; ++i) check(field, static_cast<double>((*value)[i]));
    }
    template <class T>
    void operator()(const T*) const {}
};

struct SetAll {
    double to;
    void operator()(uint32_t* value) const { *value = to < 0 ? 0 : UINT32_MAX; }
    void operator()(double* value) const { *value = to; }
    void operator()(glm::vec3* value) const { *value = glm::vec3(static_cast<float>(to)); }
    template <class T>
    void operator()(T*) const {}
};

template <class Settings>
void keepsLimits() {
    for (const double wrong : {-1e38, 1e38}) {
        Settings settings;
        const std::vector<SettingField> fields = settingFields(settings);
        for (const SettingField& field : fields) std::visit(SetAll{wrong}, field.value);
        SettingsPanel::draw(fields);
        size_t seen = 0;
        const auto check = [&](const SettingField& field, double value) {
            ++seen;
            EXPECT_GE(value, field.about.min) << field.name;
            EXPECT_LE(value, field.about.max) << field.name;
        };
        for (const SettingField& field : fields) std::visit(Numbers{check, field}, field.value);
        EXPECT_GT(seen, 0u);
    }
}

TEST_F(SettingsPanel, KeepsEveryTypedNumberWithinItsLimits) {
    keepsLimits<TrainSettings>();
    keepsLimits<RenderSettings>();
}

/// Dear ImGui takes "nan" for a number, in all widgets.
TEST(Numbers, WhatIsNoNumberChangesNothing) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    float one = 1;
    double two = 2;
    glm::vec3 three(3, 4, 5);
    const auto type = [](auto& number, auto typed) {
        return [&number, typed] {
            number = typed;
            return true;
        };
    };
    EXPECT_FALSE(keepNumbers(type(one, nan), one));
    EXPECT_EQ(one, 1);
    EXPECT_TRUE(keepNumbers(type(one, 1.5F), one));
    EXPECT_EQ(one, 1.5F);
    EXPECT_FALSE(keepNumbers(type(two, double{nan}), two));
    EXPECT_EQ(two, 2);
    for (int i = 0; i < 3; ++i) {
        glm::vec3 wrong(7);
        wrong[i] = nan;
        EXPECT_FALSE(keepNumbers(type(three, wrong), three));
        EXPECT_EQ(three, glm::vec3(3, 4, 5));
    }
    EXPECT_FALSE(keepNumbers(type(two, double{nan}), one, two)) << "one of two";
    EXPECT_EQ(two, 2);
}

}  // namespace
}  // namespace splat::app
