#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/gpu/memory_budget.h>
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"

namespace splat::app {

namespace {

void row(const char* label, const std::string& value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(label);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
}

void drawGpuPanel(Viewer& viewer) {
    const FrameReport& report = viewer.viewport().lastReport();
    gpu::Device& device = viewer.work().device();
    ImGui::TextDisabled("%s", device.name().c_str());
    if (!ImGui::BeginTable("gpu", 2, ImGuiTableFlags_SizingStretchProp)) return;
    for (const auto& [stage, milliseconds] : report.stages) row(stage.c_str(), fmt::format("{:.3f} ms", milliseconds));
    row("render", fmt::format("{:.3f} ms", viewer.viewport().milliseconds()));
    if (const Histogram* histogram = viewer.work().counting.shown()) row("histogram", fmt::format("{:.3f} ms", histogram->milliseconds));
    row("panels", fmt::format("{:.3f} ms", viewer.paintMilliseconds()));
    row("splats", grouped(viewer.work().splats()));
    row("visible", grouped(report.visible));
    row("instances", grouped(report.instances));
    row("instance capacity", grouped(viewer.viewport().view().capacity().instances));
    row("overflows", grouped(viewer.viewport().overflows()));
    // What buffers take, and what the driver grants this program at the moment, if it says.
    constexpr double kMiB = 1 << 20;
    const auto budget = gpu::memoryBudget(device);
    row("memory", fmt::format("{:.0f}{} MiB", static_cast<double>(device.memoryInUse()) / kMiB,
                              budget ? fmt::format(" of {:.0f}", static_cast<double>(budget->bytes) / kMiB) : ""));
    row("CPU", fmt::format("{:.2f} ms per frame", viewer.hostMilliseconds()));
    ImGui::EndTable();
}

}  // namespace

extern const Panel kGpuPanel{.title = "GPU", .side = Side::rightBelow, .open = true, .useful = withAnything, .draw = drawGpuPanel};

}  // namespace splat::app
