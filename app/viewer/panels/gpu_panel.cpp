#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/gpu/memory_budget.h>
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

void row(const char* label, const std::string& value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(label);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
}

/// What buffers take, and where the driver says it what it grants this program at the moment.
std::string memoryText(gpu::Device& device) {
    constexpr double kMiB = 1 << 20;
    const std::string used = fmt::format("{:.0f}", static_cast<double>(device.memoryInUse()) / kMiB);
    const auto budget = gpu::memoryBudget(device);
    return budget ? fmt::format("{} of {:.0f} MiB", used, static_cast<double>(budget->bytes) / kMiB) : used + " MiB";
}

}  // namespace

void drawGpuPanel(Viewer& viewer) {
    const FrameReport& report = viewer.viewport().lastReport();
    gpu::Device& device = viewer.work().device();
    ImGui::TextDisabled("%s", device.name().c_str());
    if (!ImGui::BeginTable("gpu", 2, ImGuiTableFlags_SizingStretchProp)) return;
    for (const auto& [stage, milliseconds] : report.stages) row(stage.c_str(), fmt::format("{:.3f} ms", milliseconds));
    row("render", fmt::format("{:.3f} ms", viewer.viewport().milliseconds()));
    row("panels", fmt::format("{:.3f} ms", viewer.paintMilliseconds()));
    row("splats", fmt::format("{}", viewer.work().splats()));
    row("visible", fmt::format("{}", report.visible));
    row("instances", fmt::format("{}", report.instances));
    row("instance capacity", fmt::format("{}", viewer.viewport().view().capacity().instances));
    row("overflows", fmt::format("{}", viewer.viewport().overflows()));
    row("memory", memoryText(device));
    row("host", fmt::format("{:.2f} ms per frame", viewer.hostMilliseconds()));
    ImGui::EndTable();
}

}  // namespace splat::app
