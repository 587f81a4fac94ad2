// What keeps areas that a single photograph shows out of the loss.
#include <splatwright/train/parts/transients.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/train/parts/transient_settings.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/step_buffer.h"

namespace splat {
namespace {

constexpr glm::vec3 kBackground(0.2f, 0.5f, 0.9f);
constexpr uint32_t kNumber = 3;  // place of the trusted share

/// A photograph of random colours, and its coverage.
Photograph photographOf(glm::ivec2 size, Coverage covers) {
    Rng rng(1);
    const auto bytes = [&](int channels) {
        Image8 image(size.x, size.y, channels);
        for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(256));
        return image;
    };
    Photograph photograph{.name = "a", .camera = {.width = size.x, .height = size.y}, .image = bytes(3)};
    photograph.covers = covers;
    if (covers != Coverage::none) photograph.coverage = bytes(1);
    return photograph;
}

/// What the loss compares at a pixel: the render, and the photograph.
std::pair<glm::dvec3, glm::dvec3> comparedAt(const Photograph& photograph, const glm::vec3& render, size_t pixel) {
    const uint8_t* bytes = &photograph.image.pixels[3 * pixel];
    const double covered = photograph.covers == Coverage::none ? 1 : photograph.coverage.pixels[pixel] / 255.0;
    glm::dvec3 x(render), y = glm::dvec3(bytes[0], bytes[1], bytes[2]) / 255.0;
    if (photograph.covers == Coverage::alpha) y = glm::mix(glm::dvec3(kBackground), y, covered);
    if (photograph.covers == Coverage::mask) x = glm::mix(y, x, covered);
    return {x, y};
}

/// The part in a step on one photograph.
struct Bench {
    Bench(const Photograph& given, double trusted)
        : size(given.image.width, given.image.height),
          photograph{given},
          targets(testDevice(), photograph, uint64_t{1} << 30u),
          store(testDevice(), 1, false),
          frame(testDevice(), {.gaussians = 1, .instances = 1, .width = 16, .height = 16}),
          render(testDevice().buffer<glm::vec3>("render", size_t{size.x} * size.y)),
          gradients(testDevice().buffer<glm::vec3>("gradients", size_t{size.x} * size.y)),
          parameters(stepBuffer(testDevice(), parametersOf(trusted))),
          memory(testDevice().buffer<uint32_t>("memory", size_t{size.x} * size.y * 8 + 1024)),
          arena(memory) {
        part.emplace(StepPartInputs{.training = inputs,
                                    .store = store,
                                    .targets = targets,
                                    .cameras = cameras,
                                    .views = {},
                                    .size = size,
                                    .statusSlots = 1,
                                    .number = kNumber});
        part->makeFrame(arena, {.gaussians = 1, .instances = 1, .width = size.x, .height = size.y});
    }

    static shared::StepParameters parametersOf(double trusted) {
        shared::StepParameters parameters{.frame = {.background = kBackground}};
        parameters.parts[kNumber] = static_cast<float>(trusted);
        return parameters;
    }

    /// Which pixels are kept of this render, and what is compared.
    struct Outcome {
        std::vector<glm::vec3> compared;
        std::vector<bool> kept;
    };
    Outcome step(const std::vector<glm::vec3>& colours) {
        testDevice().upload(render, colours);
        testDevice().upload(gradients, std::vector(colours.size(), glm::vec3(1, 2, 3)));
        StepJob job{.view = {{}, 0, size.x, size.y},
                    .model = store.model,
                    .frame = frame,
                    .parameters = parameters,
                    .target = targets.of(0),
                    .render = render,
                    .colours = render,
                    .colourGradients = gradients};
        gpu::BufferSlice compared;
        testDevice().run("step", [&](gpu::Commands& c) {
            compared = part->recordCompared(c, job);
            part->recordAfterLoss(c, job);
        });
        Outcome outcome{testDevice().download<glm::vec3>(compared, colours.size()), {}};
        for (const glm::vec3& gradient : testDevice().download<glm::vec3>(gradients, colours.size())) {
            EXPECT_TRUE(gradient == glm::vec3(0) || gradient == glm::vec3(1, 2, 3));
            outcome.kept.push_back(gradient != glm::vec3(0));
        }
        return outcome;
    }

    glm::uvec2 size;
    std::vector<Photograph> photograph;
    Targets targets;
    TrainSettings settings;
    GaussianStore store;
    FrameBuffers frame;
    gpu::Buffer render, gradients, parameters, memory;
    gpu::Arena arena;
    std::vector<Camera> cameras{1};
    DensifierInputs inputs{testDevice(), testSort(), settings, 1};
    std::optional<Transients> part;
};

/// The same decisions, by sorting.
std::vector<bool> expectedKept(const Photograph& photograph, const std::vector<glm::vec3>& render, double trusted) {
    const int width = photograph.image.width, height = photograph.image.height;
    std::vector<int> bins;
    for (size_t p = 0; p < render.size(); ++p) {
        const auto [x, y] = comparedAt(photograph, render[p], p);
        const glm::dvec3 apart = glm::abs(x - y);
        bins.push_back(std::min(1023, static_cast<int>((apart.x + apart.y + apart.z) / 3 * 1024)));
    }
    std::vector<int> sorted = bins;
    std::ranges::sort(sorted);
    const auto count = static_cast<size_t>(std::ceil(static_cast<float>(trusted) * static_cast<float>(render.size())));
    const int least = static_cast<int>(TransientSettings().least * 1024);
    const int limit = std::max(least, sorted[std::clamp<size_t>(count, 1, sorted.size()) - 1]);
    const auto trusts = [&](int x, int y) { return bins[static_cast<size_t>(y * width + x)] <= limit; };
    /// Whether more than half of the pixels in [first, end) trust.
    const auto most = [&](glm::ivec2 first, glm::ivec2 end) {
        int all = 0, trusting = 0;
        for (int y = std::max(first.y, 0); y < std::min(end.y, height); ++y)
            for (int x = std::max(first.x, 0); x < std::min(end.x, width); ++x) ++all, trusting += trusts(x, y) ? 1 : 0;
        return 2 * trusting > all;
    };
    std::vector<bool> kept;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const glm::ivec2 at(x, y), block = at / 8 * 8;
            kept.push_back(trusts(x, y) || most(at - 1, at + 2) || most(block - 4, block + 12));
        }
    return kept;
}

class KeptPixels : public testing::TestWithParam<std::tuple<glm::ivec2, Coverage, double>> {};

TEST_P(KeptPixels, AreTheReferencesAndOthersAreComparedWithThemselves) {
    const auto [size, covers, trusted] = GetParam();
    const Photograph photograph = photographOf(size, covers);
    std::vector<glm::vec3> render;
    Rng rng(2);
    for (int y = 0; y < size.y; ++y)
        for (int x = 0; x < size.x; ++x) {  // large errors in places, small and larger ones elsewhere
            const bool apart = x / 11 % 3 == 1 && y / 13 % 2 == 0;
            const uint8_t* bytes = &photograph.image.pixels[3 * render.size()];
            const double error = rng.uniform(-1, 1) * (apart ? 0.9 : rng.uniform() < 0.2 ? 0.5 : 0.05);
            render.emplace_back(bytes[0] / 255.0 + error, bytes[1] / 255.0 + error, bytes[2] / 255.0 + error);
        }
    const auto [compared, kept] = Bench(photograph, trusted).step(render);
    EXPECT_EQ(kept, expectedKept(photograph, render, trusted));
    for (size_t p = 0; p < render.size(); ++p) {
        if (kept[p])
            EXPECT_EQ(compared[p], render[p]) << p;
        else
            EXPECT_LT(glm::distance(glm::dvec3(compared[p]), comparedAt(photograph, render[p], p).second), 1e-6) << p;
    }
}

// Within a block, at its borders and over several; within a group of the histogram and with several pixels per thread.
INSTANTIATE_TEST_SUITE_P(Sizes, KeptPixels,
                         testing::Combine(testing::Values(glm::ivec2(1, 1), glm::ivec2(7, 9), glm::ivec2(8, 8), glm::ivec2(16, 17),
                                                          glm::ivec2(161, 83), glm::ivec2(413, 333)),
                                          testing::Values(Coverage::none, Coverage::alpha, Coverage::mask), testing::Values(0.5, 0.8)));

/// The photograph's colours, but wrong by `error` where `isWrong` says so.
std::vector<glm::vec3> renderWith(const Photograph& photograph, double error, const std::function<bool(int x, int y)>& isWrong) {
    std::vector<glm::vec3> render;
    for (int y = 0; y < photograph.image.height; ++y)
        for (int x = 0; x < photograph.image.width; ++x) {
            const uint8_t* bytes = &photograph.image.pixels[3 * render.size()];
            const double off = isWrong(x, y) ? error : 0.001;
            render.emplace_back(bytes[0] / 255.0 + off, bytes[1] / 255.0 + off, bytes[2] / 255.0 + off);
        }
    return render;
}

TEST(Transients, LeaveOutALargeAreaAndNothingElse) {
    const Photograph photograph = photographOf({96, 80}, Coverage::none);
    const auto isObject = [](int x, int y) { return x >= 20 && x < 52 && y >= 24 && y < 56; };  // 13 % of the pixels
    const auto kept = Bench(photograph, 0.8).step(renderWith(photograph, 0.3, isObject)).kept;
    for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 96; ++x) EXPECT_TRUE(kept[static_cast<size_t>(y * 96 + x)] || isObject(x, y)) << x << " " << y;
    EXPECT_EQ(std::ranges::count(kept, false), 32 * 32 - 4 * 4 * 8) << "the blocks at the corners have more pixels around them that trust";
    const auto most = Bench(photograph, 0.9).step(renderWith(photograph, 0.3, isObject)).kept;
    EXPECT_EQ(std::ranges::count(most, false), 0) << "the trusted share reaches into the area";
}

/// A model that has learnt the scene has small errors everywhere, and the largest of them are detail.
TEST(Transients, KeepAreasWhoseErrorsAreSmall) {
    const Photograph photograph = photographOf({96, 80}, Coverage::none);
    const auto left = [&](double error) { return renderWith(photograph, error, [](int x, int) { return x < 30; }); };
    EXPECT_EQ(std::ranges::count(Bench(photograph, 0.5).step(left(0.049)).kept, false), 0);
    EXPECT_GT(std::ranges::count(Bench(photograph, 0.5).step(left(0.052)).kept, false), 24 * 80);
}

TEST(Transients, KeepFineDetail) {
    const Photograph photograph = photographOf({96, 80}, Coverage::none);
    for (const auto& isDetail : std::vector<std::function<bool(int, int)>>{[](int x, int y) { return x % 5 == 0 && y % 5 == 0; },
                                                                           [](int x, int) { return x % 12 == 0; }}) {
        const auto kept = Bench(photograph, 0.5).step(renderWith(photograph, 0.3, isDetail)).kept;
        EXPECT_EQ(std::ranges::count(kept, false), 0);
    }
}

TEST(Transients, WithTrustInAllPixelsNothingIsLeftOut) {
    const Photograph photograph = photographOf({96, 80}, Coverage::none);
    const auto render = renderWith(photograph, 0.4, [](int x, int) { return x < 40; });
    const auto [compared, kept] = Bench(photograph, 1).step(render);
    EXPECT_EQ(std::ranges::count(kept, false), 0);
    EXPECT_EQ(compared, render);
}

TEST(Transients, AllPixelsAreTrustedBeforeTheFirstStep) {
    TrainSettings settings;
    settings.of<TransientSettings>() = {.transients = true, .trusted = 0.7, .from = 20};
    const auto row = std::ranges::find(stepPartTable(), std::string_view("transients"), &StepPartRow::name);
    ASSERT_NE(row, stepPartTable().end());
    EXPECT_EQ(partNumbers(settings, 19, 1).at(placeOfNumber(**row)), 1.0f);
    EXPECT_EQ(partNumbers(settings, 20, 0.5).at(placeOfNumber(**row)), 0.7f) << "no rate, which a rollback would halve";
}

}  // namespace
}  // namespace splat
