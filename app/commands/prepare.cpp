#include <algorithm>
#include <memory>

#include <splatwright/core/child_process.h>
#include <splatwright/core/shell_quoted.h>
#include <splatwright/scene/cameras/lens_models.h>
#include "commands/command.h"
#include "commands/options.h"
#include "commands/output_path.h"
#include "commands/prepare_run.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

struct Options {
    std::string input, out, colmap, fromColmap, fromNerfstudio;
    prepare::Settings settings;
    std::vector<std::string> distance;
};

/// Lengths of a scene: from a hair's breadth to the Earth's circumference, metres.
constexpr Range<float> kDistances{1e-4F, 4e7F};

std::string oneOf(const std::string& text, std::string_view option, std::span<const char* const> names) {
    if (std::ranges::find(names, text) != names.end()) return text;
    std::string known;
    for (const char* name : names) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    throw InputError("{}: found '{}', expected one of {}", option, text, known);
}

constexpr std::array kMappers{"incremental", "global"};
constexpr std::array kMetrics{"gps"};

std::string lensOf(const std::string& text) {
    if (findLensModel(text)) return text;
    throw InputError("--camera-model: found '{}', expected one of {}", text, lensModelNames());
}

void addOptions(CLI::App& command, Options& options) {
    command.add_option("INPUT", options.input, "Folder of photographs (sub-folders: other cameras), or a video")->type_name("");
    command
        .add_option("-o,--out", options.out,
                    "Folder for images/, sparse/0 (COLMAP), transforms.json, transform.json and prepare.log; goes on where it stopped")
        ->required()
        ->type_name("DATASET");
    command
        .add_option("--from-colmap", options.fromColmap,
                    "Instead of INPUT: a dataset with poses to copy, with a frame of its own and both descriptions")
        ->type_name("DIR");
    command.add_option("--from-nerfstudio", options.fromNerfstudio, "The same, of a folder with transforms.json")->type_name("DIR");
    addNumber(command, "--frames", options.settings.frames, {uint32_t{prepare::kFewestPhotographs}, prepare::kMostFrames},
              "Most frames of a video; the sharpest of equal parts, none of a still camera");
    command.add_flag("--force", options.settings.force, "Replace what was made in DATASET of another input; other files there stay");
    command.add_option("--colmap", options.colmap, "COLMAP's program [colmap on the PATH]")->type_name("PATH");
    command
        .add_option_function<std::string>(
            "--camera-model", [&options](const std::string& text) { options.settings.cameraModel = lensOf(text); },
            "Lens: a camera model of COLMAP; OPENCV_FISHEYE for fisheyes, OPENCV for wide lenses")
        ->type_name("NAME")
        ->default_str(options.settings.cameraModel);
    command
        .add_option_function<std::string>(
            "--mapper",
            [&options](const std::string& text) {
                const bool global = oneOf(text, "--mapper", kMappers) == "global";
                options.settings.mapper = global ? prepare::Mapper::global : prepare::Mapper::incremental;
            },
            "incremental, or global: GLOMAP, or COLMAP's own from version 4 on")
        ->type_name("NAME")
        ->default_str("incremental");
    command
        .add_option_function<std::vector<std::string>>(
            "--distance",
            [&options](const std::vector<std::string>& words) {
                if (words.size() != 3) throw InputError("--distance: found {} words, expected two names and metres", words.size());
                options.settings.distance = {words[0], words[1], parseReal(words[2], "--distance", kDistances)};
            },
            fmt::format("Distance between the cameras of two photographs, metres ({}); lengths are then metres", kDistances.text()))
        ->expected(1, 3)  // so that the error is ours
        ->type_name("NAME NAME METRES");
    command
        .add_option_function<std::string>(
            "--metric", [&options](const std::string& text) { options.settings.gps = oneOf(text, "--metric", kMetrics) == "gps"; },
            "gps: metres, east, down and north by the GPS positions of at least three photographs")
        ->type_name("NAME");
}

/// The one input that is given, and the dataset's format, empty for photographs and videos.
std::pair<std::string, std::string> inputOf(const Options& options) {
    const std::array inputs{std::pair(options.input, ""), std::pair(options.fromColmap, "colmap"),
                            std::pair(options.fromNerfstudio, "transforms")};
    const auto isGiven = [](const auto& input) { return !input.first.empty(); };
    const auto count = std::ranges::count_if(inputs, isGiven);
    if (count != 1) throw InputError("prepare: found {} inputs, expected one of INPUT, --from-colmap and --from-nerfstudio", count);
    return *std::ranges::find_if(inputs, isGiven);
}

Exit runPrepare(Context& context, Options& options) {
    checkOutputPath(options.out);
    if (options.settings.gps && options.settings.distance)
        throw InputError("prepare: --metric and --distance are both given, expected one of them: both say how long a metre is");
    const auto [input, format] = inputOf(options);
    options.settings.input = input;
    options.settings.out = options.out;
    options.settings.colmap = options.colmap;
    const Interrupt interrupt;
    try {
        runPreparation(context, options.settings, interrupt, format);
    } catch (const Interrupted& stop) {
        return stop.exit;
    }
    output("train   {} train {} -o run\n", shellQuoted(context.options().program), shellQuoted(asArgument(options.out)));
    return Exit::done;
}

Run addPrepare(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    addOptions(command, *options);
    return [options](Context& context) { return runPrepare(context, *options); };
}

}  // namespace

extern const Command kPrepareCommand{
    .name = "prepare",
    .summary = "Make a dataset of photographs or a video (with COLMAP and ffmpeg)",
    .add = addPrepare,
};

}  // namespace splat::app
