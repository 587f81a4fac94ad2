#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/gpu/memory_budget.h>
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/widgets/grouped.h"

namespace splat::app {

namespace {

void drawGpuPanel(Viewer& viewer) {
    const FrameReport& report = viewer.viewport().lastReport();
    gpu::Device& device = viewer.work().device();
    ImGui::TextDisabled("%s", device.name().c_str());
    if (!ImGui::BeginTable("gpu", 2, ImGuiTableFlags_SizingStretchProp)) return;
    for (const auto& [stage, milliseconds] : report.stages) drawRow(stage.c_str(), fmt::format("{:.3f} ms", milliseconds));
    drawRow("render", fmt::format("{:.3f} ms", viewer.viewport().milliseconds()));
    if (const Histogram* histogram = viewer.work().counting.shown())
        drawRow("histogram", fmt::format("{:.3f} ms", histogram->milliseconds));
    drawRow("panels", fmt::format("{:.3f} ms", viewer.paintMilliseconds()));
    drawRow("splats", grouped(viewer.work().splats()));
    drawRow("visible", grouped(report.visible));
    drawRow("instances", grouped(report.instances));
    drawRow("instance capacity", grouped(viewer.viewport().view().capacity().instances));
    drawRow("overflows", grouped(viewer.viewport().overflows()));
    // What buffers take, and what the driver grants this program at the moment, if it says.
    constexpr double kMiB = 1 << 20;
    const auto budget = gpu::memoryBudget(device);
    drawRow("memory", fmt::format("{:.0f}{} MiB", static_cast<double>(device.memoryInUse()) / kMiB,
                                  budget ? fmt::format(" of {:.0f}", static_cast<double>(budget->bytes) / kMiB) : ""));
    drawRow("CPU", fmt::format("{:.2f} ms per frame", viewer.hostMilliseconds()));
    ImGui::EndTable();
}

}  // namespace

extern const Panel kGpuPanel{.title = "GPU", .side = Side::rightBelow, .open = true, .useful = withAnything, .draw = drawGpuPanel};

}  // namespace splat::app
