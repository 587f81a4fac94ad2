#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/kinds/blobs.h>
#include <splatwright/train/kinds/picture_results.h>

/// The blobs of the Slang playground's demo, and the faults that it may keep (shaders/fit2d/README.md).
namespace splat {

namespace {

ModelKind modelOf(const TrainSettings& settings, glm::uvec2 size) {
    ModelKind kind = pictureKind("demo", settings, size);
    const auto& own = settings.of<PictureSettings>();
    if (!own.demoKernels) return kind;
    DemoKernels& demo = kind.demo.emplace(DemoKernels{.clearsTwice = own.demoClearsTwice});
    for (const DemoFault& fault : kDemoFaults)
        if (own.*fault.wanted) demo.faults |= fault.bit;
    return kind;
}

void check(const TrainSettings& settings) {
    const auto& own = settings.of<PictureSettings>();
    if (own.blobs == "demo" && own.startShare < 1)
        throw InputError("start_share is {}, and blobs is 'demo', which adds none; expected 1", own.startShare);
    const bool faults = std::ranges::any_of(kDemoFaults, [&](const DemoFault& fault) { return own.*fault.wanted; });
    if (faults && !own.demoKernels) throw InputError("demo_kernels is false, and a fault of the demo is true; expected true");
    if (!own.demoKernels) return;
    if (own.blobs != "demo") throw InputError("blobs is '{}', and demo_kernels is true; expected 'demo'", own.blobs);
    if (own.blend != "order") throw InputError("blob_blend is '{}', and demo_kernels is true; expected 'order'", own.blend);
    if (settings.deterministic) throw InputError("deterministic is true, and demo_kernels is true, whose sums vary; expected false");
}

/// The demo's fault `demo_row_below`: it reads row H - y for row y, and shows the result upside down. The last row is black.
void moveRowsUp(Image8& image) {
    const auto row = static_cast<std::ptrdiff_t>(image.width) * image.channels;
    std::ranges::fill(std::shift_left(image.pixels.begin(), image.pixels.end(), row), image.pixels.end(), uint8_t{0});
}

ImageChange imageChange(const TrainSettings& settings) { return settings.of<PictureSettings>().demoRowBelow ? moveRowsUp : keepImage; }

Gaussians randomBlobs(const KindStart& start) {
    const Image8 image = start.image(0).image;
    Gaussians blobs;
    blobs.resize(firstBlobs(start.settings, {image.width, image.height}), 0);
    Rng rng(start.settings.seed);
    const auto number = [&] { return static_cast<float>(rng.uniform()); };
    for (size_t i = 0; i < blobs.count(); ++i) {
        blobs.means[i] = {number(), number(), 0};
        for (int k = 0; k < 3; ++k) blobs.logScales[i][k] = number();
        for (int k = 0; k < 3; ++k) blobs.sh[i][k] = number();
        blobs.logitOpacities[i] = number();
    }
    return blobs;
}

}  // namespace

extern const TrainedKindRow kTrainedDemoBlobs{
    .name = "demo",
    .subject = SettingUse::pictures,
    .model = modelOf,
    .check = check,
    .imageChange = imageChange,
    .start = randomBlobs,
    .recordUpdate =
        [](gpu::Commands& c, const UpdateJob& job) {
            const std::optional<DemoKernels>& demo = job.model.kind.demo;
            recordBlobUpdate(c, job, {.kDemoKernels = demo ? 1u : 0u, .kFaults = demo ? demo->faults : 0u});
        },
    .splats = flatSplats,
    .results = pictureResults,
    .files = kPictureFiles,
};

}  // namespace splat
