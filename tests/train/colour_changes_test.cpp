// What decides whether exposures and colour grids act: photographs' differences from renders, the decision, and what each of both outcomes does.
#include <splatwright/train/parts/colour_changes.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/refinement.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"
#include "train/step_buffer.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

constexpr uint32_t kSlots = 4, kSerial = 6;  // of the rings, and of the submission: slot 2
constexpr glm::vec3 kBackground(0.2f, 0.5f, 0.9f);

Image8 randomBytes(glm::uvec2 size, int channels, uint64_t seed) {
    Image8 image(static_cast<int>(size.x), static_cast<int>(size.y), channels);
    Rng rng(seed);
    for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.uniform(0, 256));
    return image;
}

std::vector<Photograph> randomPhotographs(size_t views, glm::uvec2 size, Coverage covers) {
    std::vector<Photograph> all;
    for (uint64_t view = 0; view < views; ++view) {
        all.push_back({.name = std::to_string(view),
                       .camera = {.width = static_cast<int>(size.x), .height = static_cast<int>(size.y)},
                       .image = randomBytes(size, 3, 2 * view)});
        all.back().covers = covers;
        if (covers != Coverage::none) all.back().coverage = randomBytes(size, 1, 2 * view + 1);
    }
    return all;
}

/// The part, and what it is given in a step.
struct Bench {
    Bench(size_t views, glm::uvec2 imageSize, Coverage covers, double least = 0.02)
        : size(imageSize),
          photographs(randomPhotographs(views, size, covers)),
          pixels(photographs),
          targets(testDevice(), pixels, uint64_t{1} << 30u),
          store(testDevice(), 1, false),
          frame(testDevice(), {.gaussians = 1, .instances = 1, .width = 16, .height = 16}),
          parameters(stepBuffer(testDevice(), {.frame = {.background = kBackground}})),
          training(testDevice().buffer<shared::TrainingState>("training", 1)),
          refinement(testDevice().buffer<shared::Refinement>("refinement", 1)),
          render(testDevice().buffer<glm::vec3>("render", size_t{size.x} * size.y)),
          cameras(views) {
        settings.of<ColourChangeSettings>().least = least;
        settings.of<ColourGridSettings>().colourGrid = true;
        testDevice().upload(training, std::vector{shared::TrainingState{.step = 1, .serial = kSerial}});
        part.emplace(StepPartInputs{
            .training = inputs, .store = store, .targets = targets, .cameras = cameras, .views = {}, .size = size, .statusSlots = kSlots});
    }

    /// The render of the view's step.
    std::vector<glm::vec3> step(uint32_t view) const {
        std::vector<glm::vec3> colours(size_t{size.x} * size.y);
        Rng rng(100 + view);
        for (glm::vec3& colour : colours) colour = {rng.uniform(0, 1.2), rng.uniform(0, 1.2), rng.uniform(0, 1.2)};
        testDevice().upload(render, colours);
        StepJob job{.view = {{}, view, size.x, size.y},
                    .model = store.model,
                    .frame = frame,
                    .parameters = parameters,
                    .target = targets.of(view),
                    .render = render};
        testDevice().run("step", [&](gpu::Commands& c) {
            part->recordAfterLoss(c, job);
            part->recordAfterUpdate(c, job);
        });
        return colours;
    }
    void decide() const {
        const RefineEvent event = part->eventsBefore().front();
        const RefinementTools tools(testDevice(), testSort(), settings);
        const RefineJob job{.store = store, .frame = frame, .training = training, .refinement = refinement, .tools = tools};
        testDevice().run("decide", [&](gpu::Commands& c) {
            tools.recordBegin(c, job);
            event.record(c, job);
        });
    }
    void halt(bool halted) const { testDevice().upload(frame.state, std::vector{shared::FrameState{.halted = halted ? 1u : 0u}}); }

    std::vector<glm::vec4> differences() const { return testDevice().download<glm::vec4>(*part->state()[1].second, cameras.size()); }
    shared::ColourChanges changes() const { return testDevice().download<shared::ColourChanges>(*part->state()[0].second, 1).front(); }

    /// Mean over pixels of photograph - render, and of the photograph's brightness.
    glm::dvec4 expected(uint32_t view, const std::vector<glm::vec3>& colours) const {
        const Photograph& photograph = photographs[view];
        glm::dvec4 sum(0);
        for (size_t p = 0; p < colours.size(); ++p) {
            const double covered = photograph.covers == Coverage::none ? 1 : photograph.coverage.pixels[p] / 255.0;
            glm::dvec3 there =
                glm::dvec3(photograph.image.pixels[3 * p], photograph.image.pixels[3 * p + 1], photograph.image.pixels[3 * p + 2]) / 255.0;
            if (photograph.covers == Coverage::alpha) there = glm::mix(glm::dvec3(kBackground), there, covered);
            const double weight = photograph.covers == Coverage::mask ? covered : 1;
            sum += glm::dvec4(weight * (there - glm::dvec3(colours[p])), (there.x + there.y + there.z) / 3);
        }
        return sum / static_cast<double>(colours.size());
    }

    glm::uvec2 size;
    std::vector<Photograph> photographs, pixels;
    Targets targets;
    TrainSettings settings;
    mutable GaussianStore store;
    FrameBuffers frame;
    gpu::Buffer parameters, training, refinement, render;
    std::vector<Camera> cameras;
    DensifierInputs inputs{testDevice(), testSort(), settings, 1};
    std::optional<ColourChanges> part;
};

class ColourDifferences : public testing::TestWithParam<std::tuple<glm::uvec2, Coverage>> {};

TEST_P(ColourDifferences, OfAViewAreTheDoubleReferences) {
    const auto [size, covers] = GetParam();
    const Bench bench(3, size, covers);
    const auto colours = bench.step(1);
    const auto found = bench.differences();
    const glm::dvec4 expected = bench.expected(1, colours);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(found[1][k], expected[k], 2e-6) << k;
    EXPECT_EQ(found[0], glm::vec4(0));
    EXPECT_EQ(found[2], glm::vec4(0));
}

// Images within a group, at its border, and with several pixels per thread.
INSTANTIATE_TEST_SUITE_P(Sizes, ColourDifferences,
                         testing::Combine(testing::Values(glm::uvec2(1, 1), glm::uvec2(16, 16), glm::uvec2(257, 3), glm::uvec2(411, 333)),
                                          testing::Values(Coverage::none, Coverage::alpha, Coverage::mask)));

class ColourDecision : public testing::TestWithParam<size_t> {};

TEST_P(ColourDecision, IsByTheRootMeanSquareOverTheViews) {
    const auto views = static_cast<uint32_t>(GetParam());
    double squares = 0, brightness = 0;
    const auto stepAll = [&](const Bench& bench) {
        squares = brightness = 0;
        for (uint32_t view = 0; view < views; ++view) {
            const glm::dvec4 expected = bench.expected(view, bench.step(view));
            squares += glm::dot(glm::dvec3(expected), glm::dvec3(expected)) / 3;
            brightness += expected.w * expected.w;
        }
    };
    const Bench first(views, {5, 4}, Coverage::none);
    stepAll(first);
    const double difference = std::sqrt(squares / brightness);
    for (const bool act : {false, true}) {
        const Bench bench(views, {5, 4}, Coverage::none, difference * (act ? 0.999 : 1.001));
        stepAll(bench);
        bench.decide();
        EXPECT_NEAR(bench.changes().difference, difference, 1e-5 * difference);
        EXPECT_EQ(bench.changes().decided, 1u);
        EXPECT_EQ(bench.changes().act, act ? 1u : 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Views, ColourDecision, testing::Values(1, 255, 256, 257));

TEST(ColourChanges, AreDecidedOnce) {
    const Bench bench(2, {9, 7}, Coverage::none, 0.001);
    bench.step(0);
    bench.decide();
    const auto before = bench.changes();
    EXPECT_EQ(before.act, 1u);
    bench.step(1);
    bench.decide();
    EXPECT_EQ(bench.differences()[1], glm::vec4(0)) << "nothing is measured any more";
    EXPECT_EQ(bench.changes().difference, before.difference);
}

TEST(ColourChanges, AHaltedStepIsNotMeasuredAndDecidesNothing) {
    const Bench bench(1, {9, 7}, Coverage::none);
    bench.halt(true);
    bench.step(0);
    bench.decide();
    EXPECT_EQ(bench.differences()[0], glm::vec4(0));
    EXPECT_EQ(bench.changes().decided, 0u);
    bench.halt(false);
    bench.step(0);
    bench.decide();
    EXPECT_NE(bench.differences()[0], glm::vec4(0));
    EXPECT_EQ(bench.changes().decided, 1u);
}

TEST(ColourChanges, ActFromTheStartIfAnyDifferenceIsEnough) {
    const Bench bench(1, {9, 7}, Coverage::none, 0);
    EXPECT_EQ(bench.changes().act, 1u);
    EXPECT_EQ(bench.changes().decided, 1u);
}

struct Changer {
    std::string_view part;
    void (*turnOn)(TrainSettings& settings);
};
const Changer kChangers[] = {{"exposure", [](TrainSettings& s) { s.of<ExposureSettings>().exposure = true; }},
                             {"colour_grid", [](TrainSettings& s) { s.of<ColourGridSettings>().colourGrid = true; }}};

TrainSettings runWith(const Changer& changer, double least) {
    TrainSettings settings = shortRun(60);
    settings.accumulate = "fixed-point";
    settings.of<ColourChangeSettings>().least = least;
    settings.of<ColourGridSettings>().gridSize = 4;
    settings.of<ColourGridSettings>().gridLevels = 3;
    changer.turnOn(settings);
    return settings;
}

/// Of the part alone: its sections start alike.
std::vector<std::vector<std::byte>> stateOf(const Checkpoint& checkpoint, std::string_view part) {
    std::vector<std::vector<std::byte>> state;
    for (const CheckpointSection& section : checkpoint.sections) {
        if (section.name.starts_with(part)) state.push_back(section.bytes);
    }
    EXPECT_GE(state.size(), 3u);
    return state;
}

bool goOn(const StepReport&) { return true; }

TEST(ColourChanges, ThatStayOffLeaveNoTrace) {
    const reference::Scene scene = reference::makeMixedScene(30, 40, 32, 6);
    const auto photographs = photographsOf(scene, 3);
    TrainSettings plain = shortRun(60);
    plain.accumulate = "fixed-point";
    const Gaussians expected = train(blurred(scene.gaussians), photographs, plain).gaussians;
    for (const Changer& changer : kChangers) {
        SCOPED_TRACE(changer.part);
        expectSameBits(train(blurred(scene.gaussians), photographs, runWith(changer, 1)).gaussians, expected);
    }
}

/// A quarter of 60 steps decides.
TEST(ColourChanges, ActAfterAQuarterOfTheStepsIfPhotographsDiffer) {
    const reference::Scene scene = reference::makeMixedScene(30, 40, 32, 6);
    for (const Changer& changer : kChangers) {
        SCOPED_TRACE(changer.part);
        Trainer trainer(testDevice(), testSort(), runWith(changer, 1e-5), blurred(scene.gaussians), photographsOf(scene, 3), 1.1);
        const auto start = stateOf(trainer.checkpoint(), changer.part);
        trainer.run(15, goOn);
        EXPECT_EQ(stateOf(trainer.checkpoint(), changer.part), start);
        trainer.run(16, goOn);
        EXPECT_NE(stateOf(trainer.checkpoint(), changer.part), start);
        EXPECT_EQ(trainer.costs().waitsInSteps, 0u);
    }
}

TEST(ColourChanges, ARunThatIsResumedBeforeOrAfterTheDecisionIsBitIdentical) {
    const reference::Scene scene = reference::makeMixedScene(30, 40, 32, 6);
    const auto photographs = photographsOf(scene, 3);
    for (const Changer& changer : kChangers)
        for (const uint32_t at : {7u, 15u, 33u}) {
            SCOPED_TRACE(fmt::format("{}, {}", changer.part, at));
            const TrainSettings settings = runWith(changer, 1e-5);
            Trainer whole(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, 1.1);
            whole.run(at, goOn);
            const Checkpoint middle = whole.checkpoint();
            whole.run(60, goOn);
            Trainer again(testDevice(), testSort(), settings, blurred(scene.gaussians), photographs, 1.1);
            again.restore(middle);
            again.run(60, goOn);
            EXPECT_EQ(stateOf(again.checkpoint(), changer.part), stateOf(whole.checkpoint(), changer.part));
            expectSameBits(again.model().download(testDevice(), 3), whole.model().download(testDevice(), 3));
        }
}

/// Both are events after step 100: the model's health, then the decision.
TEST(ColourChanges, AreDecidedBesideTheHealthOfTheSameStep) {
    const reference::Scene scene = reference::makeMixedScene(30, 40, 32, 6);
    TrainSettings settings = runWith(kChangers[0], 1e-5);
    settings.steps = 400;
    Trainer trainer(testDevice(), testSort(), settings, blurred(scene.gaussians), photographsOf(scene, 3), 1.1);
    uint32_t last = 0, healthy = 0;
    trainer.run(201, [&](const StepReport& report) {
        EXPECT_EQ(report.step, ++last);
        EXPECT_EQ(report.health.has_value(), report.step % 100 == 0);
        EXPECT_EQ(report.colourDifference.has_value(), report.step == 100);
        EXPECT_GT(report.colourDifference.value_or(1), 1e-5);
        if (!report.health) return true;
        EXPECT_GT(report.health->meanOpacity, 0);
        ++healthy;
        return true;
    });
    EXPECT_EQ(healthy, 2u);
}

}  // namespace
}  // namespace splat
