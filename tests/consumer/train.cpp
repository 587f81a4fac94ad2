// Trains splats on a dataset, renders the first view, and saves both.
//
// usage: train DATASET OUT PRESET [SETTING=VALUE]...
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include <splatwright/device.h>
#include <splatwright/scene.h>
#include <splatwright/train.h>

namespace {

void train(const splatwright::TrainOptions& options, const std::filesystem::path& out) {
    splatwright::Device device;  // the first GPU, or else software Vulkan
    splatwright::Training training(device, options);
    training.run([](const splatwright::TrainStep& step) {
        if (step.step % 10 == 0) std::cout << "step " << step.step << " of " << step.steps << ", loss " << step.loss << '\n';
        return true;  // false ends training
    });
    training.saveSplats(out / "splats.ply");

    const splatwright::Dataset dataset = splatwright::readDataset(options.data);
    splatwright::writePng(out / "picture.png", training.render(dataset.views.at(0).camera));
}

splatwright::SettingValue settingOf(const std::string& text) {
    const size_t sign = text.find('=');
    if (sign == std::string::npos) throw splatwright::InputError(text + ": expected SETTING=VALUE");
    return {text.substr(0, sign), text.substr(sign + 1)};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return std::cerr << "usage: train DATASET OUT PRESET [SETTING=VALUE]...\n", EXIT_FAILURE;
    try {
        splatwright::TrainOptions options{.data = argv[1], .preset = argv[3]};
        for (int i = 4; i < argc; ++i) options.settings.push_back(settingOf(argv[i]));
        train(options, argv[2]);
    } catch (const splatwright::Error& problem) {
        std::cerr << problem.what() << '\n';
        return EXIT_FAILURE;
    }
}
