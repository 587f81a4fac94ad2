#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <splatwright/core/names.h>
#include <splatwright/core/output_folder.h>
#include <splatwright/gpu/capture.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/images/exr_writer.h>
#include "commands/command.h"
#include "commands/dataset_options.h"
#include "commands/interrupt.h"
#include "commands/options.h"
#include "commands/output_path.h"
#include "commands/render/render_files.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

constexpr uint32_t kMostOrbitViews = 10'000;  // names have four digits and must sort as they count

struct Options {
    RenderSource source;
    std::string out;
    const RenderFormat* format = &renderFormats().front();
    bool half = false;
    uint32_t rate = 30;  ///< of a film, frames per second
};

/// Draws views one after the other, and captures one of them.
class Render {
public:
    Render(Context& context, const RenderScene& scene, const RenderMode& mode, const OutputFolder& out)
        : scene_(scene), captured_(context.options().capture), drawing_(makeDrawing(context, scene, mode)) {
        if (captured_ > 0) capture_.emplace(out / fmt::format("frame_{}", captured_));
    }
    Drawing& drawing() { return *drawing_; }
    void draw(size_t view) {
        const bool captures = capture_ && captured_ == view + 1;
        if (captures) capture_->begin("frame " + scene_.views[view].name);
        drawing_->draw(view);
        if (captures) output("{}\n", printable(capture_->end().string()));
    }

private:
    const RenderScene& scene_;
    uint32_t captured_;  ///< from 1; 0: none
    std::unique_ptr<Drawing> drawing_;
    std::optional<gpu::Capture> capture_;
};

/// A file a view. Returns how many, fewer after an interrupt.
size_t writePictures(Render& render, const RenderScene& scene, const Options& options, const OutputFolder& out, const Interrupt& interrupt,
                     Progress& progress) {
    OutputNames names;
    size_t done = 0;
    for (; done < scene.views.size() && !interrupt.requested(); progress.update(++done)) {
        render.draw(done);
        const std::string name = names.take(scene.views[done].name, fmt::format(".{}", options.format->name));
        options.format->write(out / name, render.drawing(), {.mode = options.source.mode, .half = options.half});
    }
    return done;
}

/// The one size of all views.
ImageSize filmSize(const RenderScene& scene) {
    const Camera& first = scene.views.front().camera;
    if (first.width < 2 || first.height < 2)
        throw InputError("--as: found views of {}x{}, expected at least 2x2", first.width, first.height);
    for (const NamedView& view : scene.views) {
        if (view.camera.width == first.width && view.camera.height == first.height) continue;
        throw InputError("--as: {} has {}x{}, expected {}x{} like the first view, as a film has one size (--size)", view.name,
                         view.camera.width, view.camera.height, first.width, first.height);
    }
    return {first.width, first.height};
}

void check(const Context& context, const Options& options, const RenderScene& scene) {
    const uint32_t captured = context.options().capture;
    if (captured > scene.views.size())
        throw InputError("--capture: found {}, expected 1 to {}, the last view", captured, scene.views.size());
    checkOutputPath(options.out);
    if (options.format->film) filmSize(scene);
}

/// Draws all views for their numbers, so that one colour map suits all frames.
void keepRange(Render& render, const RenderScene& scene, const Interrupt& interrupt, Progress& progress) {
    std::optional<std::pair<float, float>> all;
    for (size_t view = 0; view < scene.views.size(); progress.update(++view)) {
        interrupt.check();
        render.drawing().draw(view);
        const auto own = render.drawing().range();
        if (own) all = all ? std::pair(std::min(all->first, own->first), std::max(all->second, own->second)) : *own;
    }
    if (all) render.drawing().setRange(*all);
}

/// One film of all views, or none after an interrupt.
void writeViews(Render& render, const RenderScene& scene, const Options& options, const OutputFolder& out, const Interrupt& interrupt,
                Progress& progress) {
    const bool mapped = options.source.mode->isNumber();
    if (mapped) keepRange(render, scene, interrupt, progress);
    size_t frame = 0;
    const auto next = [&]() -> std::optional<Image8> {
        interrupt.check();
        if (frame == scene.views.size()) return std::nullopt;
        render.draw(frame);
        progress.update(++frame + (mapped ? scene.views.size() : 0));
        return render.drawing().picture();
    };
    writeFilm(out / fmt::format("{}.{}", options.source.mode->name, options.format->name),
              {.format = *options.format->film, .size = filmSize(scene), .rate = options.rate}, next);
}

Exit runRender(Context& context, const Options& options) {
    const RenderFormat& format = *options.format;
    if (options.half && !format.hasHalf) throw InputError("--half: found --as {}, expected --as exr", format.name);
    format.require();
    const RenderScene scene = readScene(options.source);
    check(context, options, scene);
    const OutputFolder out(options.out);
    Render render(context, scene, *options.source.mode, out);

    const Interrupt interrupt;
    const size_t views = scene.views.size(), passes = format.film && options.source.mode->isNumber() ? 2 : 1;
    Progress progress(std::cerr, context.progressStyle(), "rendering", passes * views);
    size_t done = views;
    if (format.film)
        writeViews(render, scene, options, out, interrupt, progress);
    else
        done = writePictures(render, scene, options, out, interrupt, progress);
    progress.finish();
    output("{}: {} {}{}\n", printable(options.out), done, format.film ? "frames" : "pictures",
           done == views ? "" : fmt::format(" of {}, interrupted", views));
    return done == views ? Exit::done : interrupt.exit();
}

void addViews(CLI::App& command, RenderSource& s) {
    const char* const group = "Views (one of these)";
    command.add_option("--data", s.data, "Views of this dataset")->group(group)->type_name("DATA");
    command.add_option("--camera", s.camera, kCameraFileHelp)->group(group)->type_name("FILE.json");
    addNumber(command, "--orbit", s.orbit, {1, kMostOrbitViews}, "Number of views on a circle around the splats' weighted centre")
        ->group(group)
        ->default_str("");
    addDatasetOptions(command, s.reading);
    addSplit(command, s.split, "With --data: views to render (test, train or all)");
    addTestEvery(command, s.testEvery, "With --data: every N-th view (sorted by name) is a test view; 0: none");
    addDirection(command, "--up", s.up, "With --orbit: up direction");
    addSize(command, "--size", s.size,
            fmt::format("Image size, pixels [the views' own, or {}x{} for --orbit]", kOrbitSize.width, kOrbitSize.height));
    addColour(command, "--background", s.background, "Background colour");
    addNumber(command, "--budget", s.budget, {0, 16'000'000}, "Splats of a streamed model in a picture; 0: by the device's memory");
    addNumber(command, "--live", s.live, {0, 1000},
              "Views of a streamed model per second, with the levels of detail that are there by then; 0: wait for all");
    command.add_flag("--antialiased", s.antialiased, "Use Mip-Splatting's 2D filter even if the file does not request it");
}

/// What values are, whatever file holds them.
constexpr const char* kValues =
    "\nValues: colours as blended, over the background and with the photographs' curve, neither linear nor clamped; depth along the "
    "camera's z in world units; normals of length 1 in the camera's frame (x right, y down, z forward); depth and normals are 0 where "
    "there is no splat";

const RenderMode* parseMode(std::string_view name, std::string_view option) {
    try {
        return &renderModeByName(name);
    } catch (const InputError& problem) {
        throw InputError("{}: {}", option, problem.what());
    }
}

std::string modesHelp() {
    std::string help = "Render mode:";
    for (const RenderMode& mode : renderModes()) {
        if (mode.need == RenderModeNeed::gradients) continue;
        help += fmt::format("\n{}: {}{}", mode.name, mode.help, mode.need == RenderModeNeed::groundTruth ? " of --data" : "");
    }
    return help;
}

std::string formatsHelp() {
    std::string help = "Files to write:";
    for (const RenderFormat& format : renderFormats()) help += fmt::format("\n{}: {}", format.name, format.help);
    return help + kValues;
}

void addFiles(CLI::App& command, Options& o) {
    command
        .add_option_function<std::string>(
            "--mode", [&o](const std::string& name) { o.source.mode = parseMode(name, "--mode"); }, modesHelp())
        ->type_name("NAME")
        ->default_str(std::string(o.source.mode->name));
    command
        .add_option_function<std::string>(
            "--as", [&o](const std::string& name) { o.format = parseRenderFormat(name, "--as"); }, formatsHelp())
        ->type_name("NAME")
        ->default_str(std::string(o.format->name));
    addNumber(command, "--fps", o.rate, {1, 240}, "With --as mp4 or webm: frames per second");
    command.add_flag("--half", o.half, fmt::format("With --as exr: 16-bit floats, up to {}", kLargestHalf));
}

Run addRender(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command
        .add_option("SPLATS", o->source.splats,
                    fmt::format("Splats to render ({}); a fitted picture (.blobs) needs no views", splatFormatNames()))
        ->required()
        ->type_name("");
    command.add_option("-o,--out", o->out, "Folder for the files, named after the views")->required()->type_name("DIR");
    addViews(command, o->source);
    addFiles(command, *o);
    return [o](Context& context) { return runRender(context, *o); };
}

}  // namespace

extern const Command kRenderCommand{
    .name = "render",
    .summary = "Render splats to pictures, depths, normals and other values",
    .captures = true,
    .add = addRender,
};

}  // namespace splat::app
