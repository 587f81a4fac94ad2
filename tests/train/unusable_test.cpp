// Gaussians that are not finite: nothing trains, copies or keeps them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/render/backward.h>
#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/train/model/optimizer.h>
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/spoilers.h"
#include "support/test_device.h"
#include "train/refined.h"
#include "train/small_runs.h"
#include "train/step_buffer.h"
#include "train/stored_words.h"

namespace splat {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Usable, IsEveryGaussianThatNoWaySpoils) {
    const reference::Scene scene = reference::makeScene("mixed");
    const Gaussians spoilt = withSpoilt(scene.gaussians);
    const size_t ways = spoilers().size();
    for (size_t i = 0; i < spoilt.count(); ++i)
        EXPECT_EQ(isUsable(spoilt, i), i >= ways && i < ways + scene.gaussians.count()) << i << " of " << ways;
    expectSameBits(usableOnly(spoilt), scene.gaussians);
}

/// A state whose first gaussians are spoilt, each another way, though everything asks for copies of them.
State spoiltState(uint32_t step) {
    State state = makeState(800, step);
    const std::vector<Spoiler> ways = spoilers();
    for (size_t i = 0; i < ways.size(); ++i) {
        state.gaussians.logitOpacities[i] = 3;
        state.seen[i] = {.gradient = 1, .views = 1, .radius = 0};
        ways[i].spoil(state.gaussians, i);
    }
    return state;
}

/// Makes every word of every moment of the first gaussians NaN, which training has made of a spoilt one.
void spoilMoments(GaussianStore& store, size_t count) {
    for (const StoredBuffer& b : store.buffers())
        if (b.kind == BufferKind::moment) setWords(*b.values, std::vector<float>(count * b.values->words() * b.values->planes(), kNan));
}

/// Moments of gaussians that are not finite, by attribute.
std::vector<std::string> badMoments(GaussianStore& store, size_t count) {
    std::vector<std::string> bad;
    for (const StoredBuffer& b : store.buffers()) {
        if (b.kind != BufferKind::moment) continue;
        const auto words = wordsOf<float>(*b.values, count);
        for (size_t i = 0; i < words.size(); ++i)
            if (!std::isfinite(words[i])) bad.push_back(fmt::format("{} {}", b.name, i / b.values->words() % count));
    }
    return bad;
}

class Refinements : public testing::TestWithParam<std::string> {};

TEST_P(Refinements, LeaveNoGaussianAndNoMomentThatIsNotFinite) {
    const State state = spoiltState(600);
    Refined run(state, settingsOf(GetParam()), 2000);
    spoilMoments(run.store, spoilers().size());
    run.refine(600);
    EXPECT_GT(run.gaussians.count(), 0u);
    for (size_t i = 0; i < run.gaussians.count(); ++i) EXPECT_TRUE(isUsable(run.gaussians, i)) << i;
    EXPECT_EQ(badMoments(run.store, run.gaussians.count()), std::vector<std::string>{});
}
INSTANTIATE_TEST_SUITE_P(Strategies, Refinements, testing::Values("default", "mcmc", "budget"),
                         [](const auto& test) { return test.param; });

TEST(RefinementsByDefault, KeepAllOthersAsIfNothingWereSpoilt) {
    const State state = spoiltState(600);
    const size_t ways = spoilers().size();
    State rest = state;
    const auto last = [](auto& values, size_t first) { values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first)); };
    last(rest.gaussians.means, ways);
    last(rest.gaussians.rotations, ways);
    last(rest.gaussians.logScales, ways);
    last(rest.gaussians.logitOpacities, ways);
    last(rest.gaussians.sh, 16 * ways);
    last(rest.seen, ways);
    Refined run(state, settingsOf("default"), 2000), expected(rest, settingsOf("default"), 2000);
    run.refine(600);
    expected.refine(600);
    expectSameBits(run.gaussians, expected.gaussians);
}

/// One update of a scene of which nothing was drawn, or all of it, with these parameters of the step.
struct Update {
    Update(const Gaussians& gaussians, const Camera& camera, shared::StepParameters parameters, bool drawn,
           glm::vec4 regularisers = glm::vec4(0.1f))
        : scene(testDevice(), gaussians, camera, glm::vec3(0)) {
        gpu::Device& device = testDevice();
        const auto count = static_cast<uint32_t>(gaussians.count());
        const Forward forward(device, testSort());
        gpu::Arena transient = scene.frame.transient();
        const BackwardBuffers backward(device, scene.frame.capacity, accumulationByName("subtile"), transient);
        const gpu::Buffer statistics = device.buffer<shared::DensifyStatistics>("densification statistics", scene.model.capacity);
        const gpu::Buffer training = device.buffer<shared::TrainingState>("training", 1);
        device.upload(training, std::vector<shared::TrainingState>{{}});
        parameters.biasCorrection1 = parameters.biasCorrection2 = 1;
        parameters.frame.shDegree = 3;
        const gpu::Buffer step = stepBuffer(device, parameters);
        device.upload(scene.frame.parameters, std::vector{parameters.frame});
        device.upload(backward.updateCount, std::vector<uint32_t>{count});
        device.upload(backward.perUpdate, std::vector<shared::DispatchArguments>{{(count + 255) / 256, 1, 1}});
        device.upload(backward.gradients, std::vector<shared::SplatGradient>(count));
        const ViewSelection view = scene.selection();
        device.run("update", [&](gpu::Commands& c) {
            if (drawn)
                forward.record(c, scene.model, scene.frame, view);
            else
                c.fill(scene.frame.tileCounts, 0);
            recordUpdate(c, {.model = scene.model,
                             .moments = moments,
                             .densifyStatistics = statistics,
                             .frame = scene.frame,
                             .gradients = backward,
                             .view = view,
                             .step = step,
                             .training = training,
                             .regularisers = regularisers,
                             .noise = true});
        });
        unusable = device.download<shared::TrainingState>(training, 1)[0].unusable;
        tileCounts = device.download<uint32_t>(scene.frame.tileCounts, count);
        result = scene.model.download(device, 3);
    }

    GpuScene scene;
    AdamMoments moments{testDevice(), scene.model.capacity};
    uint32_t unusable = 0;
    std::vector<uint32_t> tileCounts;
    Gaussians result;
};

constexpr shared::StepParameters kAllOn{
    .lrMeans = 0.1f, .lrRotations = 0.1f, .lrScales = 0.1f, .lrOpacities = 0.1f, .lrSh0 = 0.1f, .lrShRest = 0.1f, .lrNoise = 0.1f};

/// By words, since NaN is equal to nothing.
bool sameShape(const Gaussians& a, size_t i, const Gaussians& b, size_t j) {
    const auto words = [](const auto& x) { return std::bit_cast<std::array<uint32_t, sizeof x / sizeof(uint32_t)>>(x); };
    const auto same = [&](const auto& x, const auto& y) { return words(x) == words(y); };
    return same(a.means[i], b.means[j]) && same(a.rotations[i], b.rotations[j]) && same(a.logScales[i], b.logScales[j]) &&
           same(a.logitOpacities[i], b.logitOpacities[j]);
}

TEST(Updates, LeaveWhatIsNotFiniteAsItIsAndCountIt) {
    const reference::Scene scene = reference::makeScene("mixed");
    const Gaussians start = withSpoilt(scene.gaussians);
    const Update update(start, scene.camera, kAllOn, true);
    const size_t ways = spoilers().size(), own = scene.gaussians.count();
    EXPECT_EQ(update.unusable, 2 * ways);
    for (size_t i = 0; i < start.count(); ++i) {
        const bool usable = isUsable(start, i);
        EXPECT_EQ(isUsable(update.result, i), usable) << i;
        const bool colourAlone = !usable && [&] {  // its shape may be trained: nothing sees it
            Gaussians one = start;
            std::fill_n(one.sh.begin() + static_cast<std::ptrdiff_t>(16 * i), 16, glm::vec3(0));
            return isUsable(one, i);
        }();
        if (colourAlone || (usable && update.tileCounts[i] == 0)) continue;
        EXPECT_EQ(sameShape(update.result, i, start, i), !usable) << i;
    }
    EXPECT_GT(own, 0u);
}

/// The regularisers say nothing of noise: without any, a gaussian stays where it is, however large.
TEST(Updates, WithoutNoiseAHugeGaussianStaysWhereItIs) {
    reference::Scene scene = reference::makeScene("mixed");
    for (glm::vec3& s : scene.gaussians.logScales) s = glm::vec3(43);
    shared::StepParameters parameters = kAllOn;
    parameters.lrNoise = 0;
    const Update update(scene.gaussians, scene.camera, parameters, false);
    EXPECT_EQ(update.result.means, scene.gaussians.means);
    EXPECT_EQ(update.result.logitOpacities, scene.gaussians.logitOpacities);
    EXPECT_EQ(update.unusable, 0u);
}

TEST(Updates, AGaussianWhereTheCameraIsHasNoColourGradient) {
    reference::Scene scene = reference::makeScene("mixed");
    scene.camera.rotation = glm::dmat3(1);
    scene.camera.translation = {-1, -2, -4};
    scene.gaussians.means[0] = glm::vec3(scene.camera.position());
    shared::StepParameters parameters = kAllOn;
    parameters.lrNoise = 0;
    const Update update(scene.gaussians, scene.camera, parameters, true, glm::vec4(0));
    EXPECT_EQ(update.unusable, 0u);
    EXPECT_EQ(update.result.means[0], scene.gaussians.means[0]);
    for (size_t k = 0; k < 16; ++k) EXPECT_EQ(update.result.sh[k], scene.gaussians.sh[k]) << k;
}

/// Also a strategy that prunes nothing trains all others as if it were not there.
TEST(Updates, AFixedModelTrainsAroundAGaussianThatIsNotFinite) {
    const reference::Scene scene = reference::makeMixedScene(120, 48, 48, 6);
    const auto photographs = photographsOf(scene, 3);
    TrainSettings settings = shortRun(12);
    settings.accumulate = "fixed-point";
    const Gaussians start = blurred(scene.gaussians);
    const TrainedRun expected = train(start, photographs, settings);
    for (const size_t way : {size_t{0}, size_t{10}, spoilers().size() - 1}) {
        Gaussians spoilt = start;
        spoilt.resize(121, 3);
        spoilers()[way].spoil(spoilt, 120);
        const TrainedRun run = train(spoilt, photographs, settings);
        EXPECT_EQ(run.losses, expected.losses) << spoilers()[way].name;
        expectSameBits(usableOnly(run.gaussians), expected.gaussians);
    }
}

/// default leaves moments behind its last gaussian when it prunes; mcmc appends there.
TEST(GrownModel, AppendedGaussiansStartWithoutMomentsWhateverLayThere) {
    State state = makeState(1000, 700, 6);
    for (float& o : state.gaussians.logitOpacities) o = std::max(o, 0.0f);
    Refined run(state, settingsOf("mcmc"), 1100);
    for (const StoredBuffer& b : run.store.buffers())
        if (b.kind == BufferKind::moment)
            setWords(*b.values, std::vector<float>(size_t{b.values->words()} * b.values->planes() * run.store.model.capacity, 7.0f));
    run.refine(700);
    ASSERT_EQ(run.gaussians.count(), 1050u);
    for (const StoredBuffer& b : run.store.buffers()) {
        if (b.kind != BufferKind::moment) continue;
        const auto words = wordsOf<float>(*b.values, 1050);
        for (size_t i = 0; i < words.size(); ++i) {
            if (i / b.values->words() % 1050 < 1000) continue;
            ASSERT_EQ(words[i], 0.0f) << b.name << ", word " << i;
        }
    }
}

/// As the refinement of a smaller model leaves them behind its last gaussian.
TEST(GrownModel, DensifyStatisticsBehindTheLastGaussianAreForgottenWhenTheModelGrows) {
    const State state = makeState(900, 600, 3);
    Refined run(state, settingsOf("default"), 2000);
    auto statistics = testDevice().download<shared::DensifyStatistics>(run.store.densifyStatistics, run.store.model.capacity);
    for (size_t i = 900; i < statistics.size(); ++i) statistics[i] = {5, 6, 7};
    testDevice().upload(run.store.densifyStatistics, statistics);
    run.refine(600);
    ASSERT_GT(run.gaussians.count(), 900u);
    statistics = testDevice().download<shared::DensifyStatistics>(run.store.densifyStatistics, run.gaussians.count());
    for (size_t i = 0; i < statistics.size(); ++i) EXPECT_EQ(statistics[i].gradient + statistics[i].views + statistics[i].radius, 0) << i;
}

}  // namespace
}  // namespace splat
