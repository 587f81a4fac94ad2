// Trains splats on a dataset, renders the first view, and saves both.
//
// usage: consumer DATASET OUT PRESET [SETTING=VALUE]...
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include <splatwright/gpu/device.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/train/session/session.h>

namespace {

class Console : public splat::SessionObserver {
    void onStep(const splat::StepReport& report, double /*millisecondsPerStep*/) override {
        if (report.step % 10 == 0) std::cout << "step " << report.step << ", loss " << report.loss << '\n';
    }
};

void trainAndRender(const std::filesystem::path& dataset, const std::filesystem::path& out, const splat::SettingsRequest& request) {
    splat::gpu::Device device({});  // the first GPU, or else software Vulkan

    Console console;
    splat::SessionOptions options;
    options.data = dataset;                              // a COLMAP folder, or one with transforms.json
    options.settings = splat::resolveSettings(request);  // a preset, a file, single settings: as `splatwright train` does
    options.observer = &console;
    splat::TrainingSession session(device, options);
    session.run();

    const splat::Camera camera = session.viewImage(0)->camera;
    splat::writePng(out / "picture.png", session.render(camera));
    splat::writePly(out / "splats.ply", session.splats());
}

splat::SettingsRequest requestOf(int argc, char** argv) {
    splat::SettingsRequest request{.preset = argv[3]};
    for (int i = 4; i < argc; ++i) {
        const splat::Assignment setting = splat::parseAssignment(argv[i], "SETTING=VALUE");
        request.values.push_back({std::string(setting.key), std::string(setting.value)});
    }
    return request;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return std::cerr << "usage: consumer DATASET OUT PRESET [SETTING=VALUE]...\n", EXIT_FAILURE;
    try {
        trainAndRender(argv[1], argv[2], requestOf(argc, argv));
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << '\n';
        return EXIT_FAILURE;
    }
}
