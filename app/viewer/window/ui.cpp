#include "viewer/window/ui.h"

#include <algorithm>
#include <filesystem>

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <backends/imgui_impl_glfw.h>

#include <splatwright/core/platform/program.h>
#include <splatwright/gpu/device.h>
#include "viewer/window/style.h"
#include "viewer/window/window.h"

namespace splat::app {

namespace {

constexpr float kFontPoints = 15;

void append(gpu::Painting& painting, const ImDrawList& list, const ImVec2& origin, const gpu::Texture& font) {
    static_assert(sizeof(ImDrawVert) == sizeof(gpu::PaintVertex));
    const auto firstVertex = static_cast<uint32_t>(painting.vertices.size());
    const auto firstIndex = static_cast<uint32_t>(painting.indices.size());
    for (const ImDrawVert& v : list.VtxBuffer) painting.vertices.push_back({{v.pos.x, v.pos.y}, {v.uv.x, v.uv.y}, v.col});
    for (const ImDrawIdx i : list.IdxBuffer) painting.indices.push_back(i);
    for (const ImDrawCmd& command : list.CmdBuffer) {
        const auto* texture = static_cast<const gpu::Texture*>(command.TextureId);
        const ImVec4& clip = command.ClipRect;
        painting.ranges.push_back({.firstIndex = firstIndex + command.IdxOffset,
                                   .indices = command.ElemCount,
                                   .firstVertex = firstVertex + command.VtxOffset,
                                   .clipLow = glm::ivec2(clip.x - origin.x, clip.y - origin.y),
                                   .clipHigh = glm::ivec2(clip.z - origin.x, clip.w - origin.y),
                                   .texture = texture ? *texture : font});
    }
}

}  // namespace

Ui::Ui(gpu::Device& device, Window* window, float scale) : device_(device), hasWindow_(window != nullptr) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // the viewer sets the panels' positions
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    applyStyle(scale);
    loadFont(scale);
    if (window) ImGui_ImplGlfw_InitForVulkan(window->handle(), true);
}

Ui::~Ui() {
    if (hasWindow_) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void Ui::loadFont(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const auto fonts = platform::fontFiles();
    const auto found = std::ranges::find_if(fonts, [](const auto& path) { return std::filesystem::exists(path); });
    if (found != fonts.end()) {
        atlas.AddFontFromFileTTF(found->string().c_str(), kFontPoints * scale);
    } else {  // Dear ImGui's own font of fixed size
        atlas.AddFontDefault();
        ImGui::GetIO().FontGlobalScale = scale;
    }
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    const size_t bytes = size_t{4} * static_cast<size_t>(width) * static_cast<size_t>(height);
    fontTexels_ = device_.buffer<uint32_t>("font", bytes / 4);
    device_.upload(fontTexels_, std::as_bytes(std::span(pixels, bytes)));
    font_ = {fontTexels_, {static_cast<uint32_t>(width), static_cast<uint32_t>(height)}};
    atlas.SetTexID(&font_);
    atlas.ClearTexData();
}

void Ui::begin(glm::uvec2 size, double seconds, const std::optional<Pointer>& pointer, KeyOwner owner) {
    if (hasWindow_) ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    if (hasWindow_) {  // scripts have keys of their own
        // Keyboard navigation is on only in dialogs; widgets get no keys that the view owns.
        constexpr ImGuiConfigFlags kNavigates = ImGuiConfigFlags_NavEnableKeyboard;
        io.ConfigFlags = owner == KeyOwner::dialog ? io.ConfigFlags | kNavigates : io.ConfigFlags & ~kNavigates;
        for (int key = 0; key < IM_ARRAYSIZE(io.KeysDown); ++key) {
            const bool isModifier = key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;  // Dear ImGui's keys are GLFW's
            io.KeysDown[key] = io.KeysDown[key] && (isModifier || owner != KeyOwner::view);
        }
    }
    io.DisplaySize = {static_cast<float>(size.x), static_cast<float>(size.y)};
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = static_cast<float>(std::max(seconds, 1e-4));
    if (pointer) {
        io.MousePos = {pointer->position.x, pointer->position.y};
        std::ranges::copy(pointer->buttons, io.MouseDown);
        io.MouseWheel = pointer->wheel;
        io.KeyShift = pointer->shift;
        io.KeyCtrl = pointer->control;
        io.KeyAlt = pointer->alt;
    }
    ImGui::NewFrame();
}

gpu::Painting Ui::end() {
    ImGui::Render();
    const ImDrawData& data = *ImGui::GetDrawData();
    gpu::Painting painting;
    for (int i = 0; i < data.CmdListsCount; ++i) append(painting, *data.CmdLists[i], data.DisplayPos, font_);
    return painting;
}

gpu::Painting Ui::background() const {
    gpu::Painting painting;
    const ImDrawList& list = *ImGui::GetBackgroundDrawList();
    if (!list.CmdBuffer.empty()) append(painting, list, ImGui::GetDrawData()->DisplayPos, font_);
    return painting;
}

}  // namespace splat::app
