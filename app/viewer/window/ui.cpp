#include "viewer/window/ui.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_freetype.h>
#include <imgui_internal.h>
#include <implot.h>

#include <splatwright/core/platform/program.h>
#include <splatwright/gpu/device.h>
#include "viewer/window/display.h"
#include "viewer/window/panel_font.h"
#include "viewer/window/queued_input.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr float kFontPoints = 16;
constexpr uint64_t kFramesKept = 4;  // more than are on their way to the screen

/// The texture of textureName().
const gpu::Texture& textureOf(ImTextureID name) {
    return *reinterpret_cast<const gpu::Texture*>(name);  // NOLINT(performance-no-int-to-ptr): Dear ImGui's names are numbers
}

void append(gpu::Painting& painting, const ImDrawList& list, const ImVec2& origin) {
    static_assert(sizeof(ImDrawVert) == sizeof(gpu::PaintVertex));
    const auto firstVertex = static_cast<uint32_t>(painting.vertices.size());
    const auto firstIndex = static_cast<uint32_t>(painting.indices.size());
    for (const ImDrawVert& v : list.VtxBuffer) painting.vertices.push_back({{v.pos.x, v.pos.y}, {v.uv.x, v.uv.y}, v.col});
    for (const ImDrawIdx i : list.IdxBuffer) painting.indices.push_back(i);
    for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.ElemCount == 0) continue;
        const ImVec4& clip = command.ClipRect;
        painting.ranges.push_back({.firstIndex = firstIndex + command.IdxOffset,
                                   .indices = command.ElemCount,
                                   .firstVertex = firstVertex + command.VtxOffset,
                                   .clipLow = glm::ivec2(clip.x - origin.x, clip.y - origin.y),
                                   .clipHigh = glm::ivec2(clip.z - origin.x, clip.w - origin.y),
                                   .texture = textureOf(command.GetTexID())});
    }
}

bool isModifier(ImGuiKey key) {
    return (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) ||
           (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper);
}

/// Takes back the presses of all keys but modifiers, which the display has queued: widgets get none of them. Releases stay, so that no key is held.
void dropKeyPresses() {
    ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    ImGuiInputEvent* const end = std::remove_if(queue.begin(), queue.end(), [](const ImGuiInputEvent& e) {
        return e.Type == ImGuiInputEventType_Key && e.Key.Down && !isModifier(e.Key.Key);
    });
    queue.resize(static_cast<int>(end - queue.begin()));
}

void queue(const Pointer& pointer) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Shift, pointer.shift);
    io.AddKeyEvent(ImGuiMod_Ctrl, pointer.control);
    io.AddKeyEvent(ImGuiMod_Alt, pointer.alt);
    io.AddMousePosEvent(pointer.position.x, pointer.position.y);
    for (size_t button = 0; button < pointer.buttons.size(); ++button)
        io.AddMouseButtonEvent(static_cast<int>(button), pointer.buttons[button]);
    if (pointer.wheel != 0) io.AddMouseWheelEvent(0, pointer.wheel);
}

}  // namespace

Ui::Ui(gpu::Device& device, Display* display, float scale) : device_(device), display_(display) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImPlot::CreateContext();
    ImPlotInputMap& input = ImPlot::GetInputMap();
    input.ZoomMod = ImGuiMod_Ctrl;  // the wheel alone scrolls panels
    input.OverrideMod = ImGuiMod_Super;
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // layout() is kept with what else the viewer remembers
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    applyStyle(scale);
    addFonts();
    if (display_) display_->attach();
}

Ui::~Ui() {
    if (display_) display_->detach();
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
}

/// Windows and the nodes that they are docked to keep their sizes in points.
void Ui::rescale(float scale) {
    const float ratio = scale / points(1);
    applyStyle(scale);
    ImGui::ScaleWindowsInViewport(static_cast<ImGuiViewportP*>(ImGui::GetMainViewport()), ratio);
    for (const ImGuiStoragePair& pair : ImGui::GetCurrentContext()->DockContext.Nodes.Data) {
        auto* node = static_cast<ImGuiDockNode*>(pair.val_p);
        if (node) node->SizeRef = {node->SizeRef.x * ratio, node->SizeRef.y * ratio};
    }
}

std::string Ui::layout() const { return ImGui::SaveIniSettingsToMemory(); }

void Ui::setLayout(const std::string& text, float scale) {
    applyStyle(scale);
    ImGui::LoadIniSettingsFromMemory(text.c_str(), text.size());
}

void Ui::addFonts() {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;  // widths are the same at every scale
    const std::span<const unsigned char> font = panelFont();
    atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(font.data()), static_cast<int>(font.size()), kFontPoints, &config);
    const auto files = platform::fontFiles();
    const auto found = std::ranges::find_if(files, [](const auto& file) { return std::filesystem::exists(file); });
    if (found == files.end()) return;
    config.FontDataOwnedByAtlas = true;  // what it reads from the file
    config.MergeMode = true;             // the system's best, for letters and symbols that ours has not
    atlas.AddFontFromFileTTF(found->string().c_str(), kFontPoints, &config);
}

/// Glyphs are drawn when they are first needed, into a texture that grows.
void Ui::updateTextures() {
    ++frame_;
    std::erase_if(retired_, [&](const Retired& r) { return r.frame + kFramesKept < frame_; });
    for (ImTextureData* wanted : ImGui::GetPlatformIO().Textures) {
        const bool isNew = wanted->Status == ImTextureStatus_WantCreate || wanted->Status == ImTextureStatus_WantUpdates;
        const bool isOver = wanted->Status == ImTextureStatus_WantDestroy && wanted->UnusedFrames > 0;
        if (!isNew && !isOver) continue;
        PanelTexture& texture = textures_[wanted->UniqueID];
        if (texture.texels) retired_.push_back({frame_, std::move(texture.texels)});
        if (isNew) replace(texture, *wanted);
        if (isOver) forget(*wanted);
    }
}

/// All of it, into a new buffer: frames on their way to the screen read the old one.
void Ui::replace(PanelTexture& texture, ImTextureData& wanted) {
    const glm::uvec2 size(wanted.Width, wanted.Height);
    const std::span pixels(static_cast<const std::byte*>(wanted.GetPixels()), static_cast<size_t>(wanted.GetSizeInBytes()));
    texture.texels = device_.buffer<std::byte>("panel texture", pixels.size());
    device_.upload(texture.texels, pixels);
    texture.texture = {texture.texels, size};
    wanted.SetTexID(textureName(texture.texture));
    wanted.SetStatus(ImTextureStatus_OK);
}

void Ui::forget(ImTextureData& wanted) {
    textures_.erase(wanted.UniqueID);
    wanted.SetTexID(ImTextureID_Invalid);
    wanted.SetStatus(ImTextureStatus_Destroyed);
}

void Ui::begin(glm::uvec2 size, double seconds, const std::optional<Pointer>& pointer, KeyOwner owner) {
    if (display_) display_->beginFrame();
    ImGuiIO& io = ImGui::GetIO();
    if (display_) {  // scripts have keys of their own
        // Keyboard navigation is on only in dialogs; widgets get no keys that the view owns.
        constexpr ImGuiConfigFlags kNavigates = ImGuiConfigFlags_NavEnableKeyboard;
        io.ConfigFlags = owner == KeyOwner::dialog ? io.ConfigFlags | kNavigates : io.ConfigFlags & ~kNavigates;
        if (owner == KeyOwner::view) dropKeyPresses();
    }
    io.DisplaySize = {static_cast<float>(size.x), static_cast<float>(size.y)};
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = static_cast<float>(std::max(seconds, 1e-4));
    // A click within one frame takes two. What is typed takes none, so that Enter, which the viewer hears, comes after it. A script's pointer is in every
    // frame as it says.
    io.ConfigInputTrickleEventQueue = !pointer && isQueued(ImGuiInputEventType_MouseButton);
    if (pointer) queue(*pointer);
    ImGui::NewFrame();
}

gpu::Painting Ui::end() {
    ImGui::Render();
    updateTextures();
    const ImDrawData& data = *ImGui::GetDrawData();
    gpu::Painting painting;
    for (const ImDrawList* list : data.CmdLists) append(painting, *list, data.DisplayPos);
    return painting;
}

gpu::Painting Ui::background() const {
    gpu::Painting painting;
    const ImDrawList& list = *ImGui::GetBackgroundDrawList(ImGui::GetMainViewport());
    if (!list.CmdBuffer.empty()) append(painting, list, ImGui::GetDrawData()->DisplayPos);
    return painting;
}

}  // namespace splat::app
