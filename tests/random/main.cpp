// Random input for the viewer: all of its widgets, keys, files and sizes, while it views, edits and trains. The invariants of its edits are checked now and
// then. Ends with an error at the first that does not hold, at a message of the validation layers, and, where it is built with sanitizers, at theirs.
//
// usage: random_input SECONDS SEED [FOLDER]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include <splatwright/core/read_number.h>
#include <splatwright/core/temporary_folder.h>
#include <splatwright/gpu/device.h>
#include <splatwright/primitives/radix_sort.h>
#include "last_inputs.h"
#include "random_user.h"
#include "viewer/main/make_viewer.h"
#include "viewer/window/clock.h"

namespace splat::test {

namespace {

namespace fs = std::filesystem;

constexpr glm::uvec2 kSize{900, 600};  // pixels
constexpr float kAutosaveSeconds = 3;
constexpr VkDeviceSize kMostDeviceMemory = VkDeviceSize{1} << 30u;  // so that sizes that are typed are refused

struct Options {
    double seconds = 0;
    uint64_t seed = 0;
};

/// No program is found, no folder of the user's is used, and names without one are of files in the folder.
void stayIn(const fs::path& folder) {
    const fs::path work = folder / "work";
    fs::create_directories(work);
    fs::current_path(work);
    for (const char* variable : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"})
        setenv(variable, folder.c_str(), 1);
    setenv("PATH", (folder / "programs").c_str(), 1);
}

gpu::DeviceOptions deviceOptions() {
    const char* validates = std::getenv("SPLAT_VALIDATE");
    const bool isOff = validates && std::string_view(validates) == "0";
    return {.validation = isOff ? gpu::Validation::kNone : gpu::Validation::kCore, .memoryLimit = kMostDeviceMemory};
}

void report(const Widgets& widgets, uint64_t frames, uint64_t checks) {
    size_t reached = 0;
    for (const auto& [name, count] : widgets.counts()) reached += count > 0 ? 1 : 0;
    if (reached == 0) fail("no widget was reached");
    fmt::print("{} frames, {} checks; {} of {} widgets were reached\n", frames, checks, reached, widgets.counts().size());
    fmt::print("slowest input: {}", last_inputs::slowest());
    for (const auto& [name, count] : widgets.counts()) fmt::print("  {:6} {}\n", count > 0 ? std::to_string(count) : "never", name);
}

void run(const Options& options, const fs::path& folder) {
    gpu::Device device(deviceOptions());
    const primitives::RadixSort sort(device);
    const Inputs inputs(fs::current_path() / "inputs");
    Widgets widgets;
    Hand hand(kSize);
    RandomUser user(options.seed, hand, widgets, inputs);
    hand.everyFrame = [&] { user.look(); };
    double end = 0;  // seconds, from the first gesture on: the first frames compile kernels
    hand.think = [&] {
        if (end == 0) end = app::now() + options.seconds;
        user.act();
    };
    const auto isOver = [&end] { return end > 0 && app::now() >= end; };
    uint64_t frames = 0, checks = 0;
    while (!isOver()) {
        app::ViewerStart start{.options = {.size = kSize, .autosave = kAutosaveSeconds, .shaders = folder / "no shaders"}};
        start.leaveWhen = isOver;
        const auto viewer = app::makeViewer(device, sort, &hand, start);
        Invariants invariants(*viewer, sort, folder / "checks", kAutosaveSeconds);
        user.enter(*viewer, invariants);
        viewer->run();
        invariants.update();
        invariants.checkUndo();
        invariants.checkCounts();
        invariants.checkProject();
        viewer->autosaving().end();
        frames += viewer->frames();
        checks += invariants.checks();
        last_inputs::note(frames, "left");
    }
    if (device.validationMessages() > 0) fail(fmt::format("{} messages of the validation layers", device.validationMessages()));
    report(widgets, frames, checks);
}

std::optional<Options> optionsOf(int count, char** words) {
    Options options;
    if (count < 3 || !readNumber(words[1], options.seconds) || !readNumber(words[2], options.seed)) return std::nullopt;
    return options;
}

}  // namespace

}  // namespace splat::test

int main(int count, char** words) {
    using namespace splat::test;
    const auto options = optionsOf(count, words);
    if (!options) return std::fprintf(stderr, "usage: random_input SECONDS SEED\n"), 1;
    const splat::TemporaryFolder folder("splat-random-");
    fmt::print("seed {}, in {}\n", options->seed, folder.path().string());
    std::fflush(stdout);
    stayIn(folder.path());
    last_inputs::watch(options->seed);
    try {
        run(*options, folder.path());
    } catch (const std::exception& problem) {
        fail(problem.what());
    }
}
