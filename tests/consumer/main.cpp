// Trains splats on a dataset, renders the first view, and saves both.
//
// usage: consumer DATASET OUT STEPS
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include <splatwright/gpu/device.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/train/session/session.h>

namespace {

class Console : public splat::SessionObserver {
    void onStep(const splat::StepReport& report, double /*millisecondsPerStep*/) override {
        if (report.step % 10 == 0) std::cout << "step " << report.step << ", loss " << report.loss << '\n';
    }
};

void trainAndRender(const std::filesystem::path& dataset, const std::filesystem::path& out, uint32_t steps) {
    splat::gpu::Device device({});  // the first GPU, or else software Vulkan

    Console console;
    splat::SessionOptions options;
    options.data = dataset;  // a COLMAP folder, or one with transforms.json
    options.settings.steps = steps;
    options.observer = &console;
    splat::TrainingSession session(device, options);
    session.run();

    const splat::Camera camera = session.viewImage(0)->camera;
    splat::writePng(out / "picture.png", session.render(camera));
    splat::writePly(out / "splats.ply", session.splats());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return std::cerr << "usage: consumer DATASET OUT STEPS\n", EXIT_FAILURE;
    try {
        trainAndRender(argv[1], argv[2], static_cast<uint32_t>(std::stoul(argv[3])));
    } catch (const std::exception& problem) {
        std::cerr << problem.what() << '\n';
        return EXIT_FAILURE;
    }
}
