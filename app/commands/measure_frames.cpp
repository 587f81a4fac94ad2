#include "commands/measure_frames.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include <nlohmann/json.hpp>

#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/threads.h>
#include <splatwright/gpu/capture.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/gaussians/orbit_views.h>
#include <splatwright/view/detail_stream.h>
#include <splatwright/view/world_view.h>
#include "commands/popping.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

/// Timings of drawing, milliseconds.
struct Measurement {
    std::vector<double> frames;            ///< GPU time of each frame without overflow
    std::map<std::string, double> stages;  ///< mean of those
    std::vector<std::string> order;        ///< order of the stages
    double wall = 0;                       ///< mean time from frame to frame
    double host = 0;                       ///< CPU time of the drawing thread, mean
    size_t repeated = 0;                   ///< frames that overflowed
    uint32_t visible = 0, instances = 0;   ///< of the last frame

    void add(const FrameReport& report) {
        if (!report.complete) {
            ++repeated;
            return;
        }
        double sum = 0;
        for (const auto& [stage, milliseconds] : report.stages) {
            if (!stages.contains(stage)) order.push_back(stage);
            stages[stage] += milliseconds;
            sum += milliseconds;
        }
        frames.push_back(sum);
        visible = report.visible;
        instances = report.instances;
    }
};

using Streams = std::vector<std::unique_ptr<DetailStream>>;

void drawAll(WorldView& view, const Streams& streams, const std::vector<NamedView>& views, Measurement* measurement) {
    for (const NamedView& place : views) {
        for (const auto& stream : streams) stream->update();
        view.draw(place.camera);
        for (const FrameReport& report : view.reports())
            if (measurement) measurement->add(report);
    }
    view.finish();
    for (const FrameReport& report : view.reports())
        if (measurement) measurement->add(report);
}

Measurement measure(WorldView& view, const Streams& streams, const std::vector<NamedView>& views) {
    Measurement m;
    drawAll(view, streams, views, nullptr);  // warm-up: finds the capacities and raises the GPU's clock
    const auto start = std::chrono::steady_clock::now();
    const double before = threadMicroseconds();
    drawAll(view, streams, views, &m);
    const auto count = static_cast<double>(views.size());
    m.host = (threadMicroseconds() - before) * 1e-3 / count;
    m.wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / count;
    std::ranges::sort(m.frames);
    for (auto& [stage, milliseconds] : m.stages) milliseconds /= static_cast<double>(m.frames.size());
    return m;
}

/// Captures one frame with RenderDoc, after the frames before it on the orbit, and returns the file.
std::string captureFrame(WorldView& view, const std::vector<NamedView>& views, uint32_t frame) {
    if (frame > views.size()) throw InputError("--capture: found {}, expected 1 to {}, the last frame", frame, views.size());
    gpu::Capture capture(fmt::format("frame_{}", frame));
    for (uint32_t i = 0; i < frame; ++i) view.draw(views[i].camera);  // including this one, so that capacities suffice when it is captured
    view.finish();
    capture.begin(fmt::format("frame {}", frame));
    view.draw(views[frame - 1].camera);
    view.finish();
    return printable(capture.end().string());
}

nlohmann::ordered_json toJson(const Measurement& m, size_t splats, const gpu::Device& device) {
    nlohmann::ordered_json json{{"frames", m.frames.size()},
                                {"median_ms", m.frames[m.frames.size() / 2]},
                                {"min_ms", m.frames.front()},
                                {"max_ms", m.frames.back()},
                                {"wall_ms", m.wall},
                                {"host_ms", m.host},
                                {"splats", splats},
                                {"visible", m.visible},
                                {"instances", m.instances},
                                {"repeated_frames", m.repeated},
                                {"peak_device_mib", static_cast<double>(device.memoryPeak()) / (1 << 20)},
                                {"device", device.name()}};
    for (const std::string& stage : m.order) json["stages"][stage] = m.stages.at(stage);
    return json;
}

void printTable(const Measurement& m) {
    output("{} frames  median {:.3f} ms  min {:.3f}  max {:.3f}  from frame to frame {:.3f}  host {:.3f}\n", m.frames.size(),
           m.frames[m.frames.size() / 2], m.frames.front(), m.frames.back(), m.wall, m.host);
    for (const std::string& stage : m.order) output("{:<12}{:8.3f} ms\n", stage, m.stages.at(stage));
}

/// Loads every model into the world and returns the number of splats.
size_t readModels(Context& context, World& world, Streams& streams, const MeasureOptions& options) {
    size_t splats = 0;
    for (const std::string& path : options.splats) {
        if (isStreamedSog(path)) {
            const std::string name = escapedName(std::filesystem::path(path).filename().string());
            streams.push_back(std::make_unique<DetailStream>(context.device(), world, name, path, options.budget));
            splats += streams.back()->scene().count(0);
            continue;
        }
        const Gaussians gaussians = readSplats(path);
        splats += gaussians.count();
        world.add(escapedName(std::filesystem::path(path).filename().string()), gaussians);
    }
    return splats;
}

}  // namespace

Exit measureFrames(Context& context, const MeasureOptions& options) {
    World world(context.device());
    Streams streams;
    const size_t splats = readModels(context, world, streams, options);
    const auto views = orbitViews(world.extent(), options.frames, options.size, options.up);
    WorldView view(context.device(), context.sort(), world);
    view.settings.picture = renderModeByName(options.picture).name;
    view.settings.background = options.background;
    std::string capture;
    if (context.options().capture > 0) capture = captureFrame(view, views, context.options().capture);
    const Measurement m = measure(view, streams, views);
    if (!view.missing().empty()) throw InputError("--render-mode {}: {}", options.picture, view.missing());
    if (m.frames.empty()) throw Error("none of {} pictures fitted into the memory that the one before asked for", options.frames);
    const Popping popping = measurePopping(context.device(), view, world.extent(), options);
    if (options.json) {
        nlohmann::ordered_json json = toJson(m, splats, context.device());
        if (!capture.empty()) json["capture"] = capture;
        if (options.popping > 0)
            json["popping"] = {{"mean_flip", popping.mean}, {"worst_flip", popping.worst}, {"worst_frame", popping.frame}};
        output("{}\n", jsonText(json, 2));
    } else {
        if (!capture.empty()) output("{}\n", capture);
        printTable(m);
        if (options.popping > 0)
            output("popping     FLIP of consecutive frames {:.5f}, at most {:.5f} (frame {})\n", popping.mean, popping.worst,
                   popping.frame);
    }
    return Exit::done;
}

}  // namespace splat::app
