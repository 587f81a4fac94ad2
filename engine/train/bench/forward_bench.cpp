#include <splatwright/train/bench/forward_bench.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <splatwright/primitives/sort_variants.h>
#include <splatwright/train/evaluate/metrics.h>

namespace splat {

namespace {

/// Another variant than those in use, if the device has one that sorts any number correctly.
std::optional<primitives::RadixSort> otherSort(gpu::Device& device, const primitives::RadixSort& sort) {
    for (const primitives::SortVariant& variant : primitives::sortVariants()) {
        const auto isInUse = [&](const primitives::VariantChoice& choice) { return choice.selected && choice.variant == variant.name; };
        if (!variant.available(device) || !variant.sorts(UINT32_MAX) || std::ranges::any_of(sort.selfTest().choices, isInUse)) continue;
        if (primitives::testSortVariant(device, variant).empty()) return primitives::RadixSort(device, variant);
    }
    return std::nullopt;
}

/// Pictures of one view by one sort.
class DrawnView {
public:
    DrawnView(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model, const Camera& camera)
        : renderer_(device, sort), model_(model), camera_(camera) {}
    ImageF render() { return renderer_.render(model_.gaussians, camera_, model_.background, model_.shDegree); }
    /// GPU time of a picture.
    double milliseconds() {
        render();
        double sum = 0;
        for (const auto& [stage, time] : renderer_.stages()) sum += time;
        return sum;
    }

private:
    Renderer renderer_;
    const EvaluatedModel& model_;
    const Camera& camera_;
};

bool isFinite(const ImageF& picture) {
    return std::ranges::all_of(picture.pixels, [](float value) { return std::isfinite(value); });
}

/// Whether some pixel differs from the background.
bool showsSplats(const ImageF& picture, glm::vec3 background) {
    for (size_t i = 0; i < picture.pixels.size(); ++i) {
        if (picture.pixels[i] != background[static_cast<int>(i % 3)]) return true;
    }
    return false;
}

}  // namespace

primitives::BenchRow benchForward(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model,
                                  const Photograph& photograph, const primitives::BenchOptions& options) {
    DrawnView view(device, sort, model, photograph.camera);
    const ImageF picture = view.render();
    const std::optional<primitives::RadixSort> other = otherSort(device, sort);
    const ImageF again = DrawnView(device, other ? *other : sort, model, photograph.camera).render();
    primitives::BenchRow row{.bench = "forward", .variant = "picture", .n = model.gaussians.capacity};
    row.verified = isFinite(picture) && picture.pixels == again.pixels && showsSplats(picture, model.background);
    row.note = fmt::format("{:.2f} dB to the training image", psnr(quantised(picture), photograph.image));
    row.subject = fmt::format("{}, {}x{}", photograph.name, photograph.image.width, photograph.image.height);
    if (row.verified) primitives::timeRuns(device, options.runs, row, [&] { return view.milliseconds(); });
    return row;
}

}  // namespace splat
