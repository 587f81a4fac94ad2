// The loss that is shown against the loss that is minimised, term by term.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <splatwright/core/rng.h>
#include <splatwright/train/loss/loss.h>
#include <splatwright/train/settings/accumulation_setting.h>
#include "reference/update.h"
#include "support/gpu_scene.h"
#include "support/spoilers.h"
#include "support/test_device.h"
#include "train/small_runs.h"
#include "train/update_bench.h"

namespace splat {
namespace {

TrainSettings regularised(double opacityReg, double scaleReg) {
    TrainSettings settings;
    settings.opacityReg = opacityReg;
    settings.scaleReg = scaleReg;
    return settings;
}

constexpr std::pair<double, double> kWeights[] = {{0.4, 0.0}, {0.0, 0.7}, {0.3, 0.5}};

/// All rows but the photometric one, which needs a picture.
std::span<const LossRow* const> regularisers() { return lossTable().subspan(1); }

/// `seen`: per Gaussian; empty: all.
std::vector<LossShare> sharesOf(const Gaussians& gaussians, const TrainSettings& settings,
                                std::span<const LossRow* const> rows = regularisers(), const std::vector<bool>& seen = {},
                                UnseenRule unseen = {}) {
    gpu::Device& device = testDevice();
    const auto count = static_cast<uint32_t>(gaussians.count());
    GaussianModel model(device, GaussianStore::roundedCapacity(count));
    model.upload(device, gaussians);
    const gpu::Buffer memory = device.buffer<std::byte>("scratch", LossScratch::bytes(1, 1));
    gpu::Arena arena(memory);
    const LossScratch scratch(device, arena, 1, 1);
    const gpu::Buffer tileCounts = device.buffer<uint32_t>("tile counts", model.capacity);
    std::vector<uint32_t> tiles(model.capacity, 3);
    for (size_t i = 0; i < seen.size(); ++i) tiles[i] = seen[i] ? 3 : 0;
    device.upload(tileCounts, tiles);
    const Loss loss(device, rows);
    device.run("loss", [&](gpu::Commands& c) {
        loss.record(c, {.settings = settings,
                        .model = model,
                        .colour = {},
                        .target = {},
                        .step = {},
                        .tileCounts = tileCounts,
                        .unseen = unseen,
                        .scratch = scratch,
                        .colourGradients = {}});
    });
    return loss.shares(device.download<float>(loss.sums(), loss.terms()), {.gaussians = count}, settings);
}

/// Gaussians of many sizes and opacities.
Gaussians variedGaussians(size_t count) {
    Gaussians gaussians;
    gaussians.resize(count, 0);
    Rng rng(count);
    for (size_t i = 0; i < count; ++i) {
        gaussians.rotations[i] = glm::vec4(1, 0, 0, 0);
        gaussians.logitOpacities[i] = static_cast<float>(rng.uniform(-6, 6));
        for (int k = 0; k < 3; ++k) gaussians.logScales[i][k] = static_cast<float>(rng.uniform(-8, 1));
    }
    return gaussians;
}

// One Gaussian, one group and its neighbours, and more than one per thread of all groups.
TEST(LossTable, RegularisersAreTheReferences) {
    for (const size_t count : {size_t{1}, size_t{255}, size_t{256}, size_t{257}, size_t{5000}, size_t{512 * 256 + 300}}) {
        const Gaussians gaussians = variedGaussians(count);
        for (const auto& [opacityReg, scaleReg] : kWeights) {
            SCOPED_TRACE(testing::Message() << count << " Gaussians, " << opacityReg << " " << scaleReg);
            const double expected =
                reference::regularisation(reference::fromGaussians(gaussians), {.opacityReg = opacityReg, .scaleReg = scaleReg});
            EXPECT_NEAR(totalLoss(sharesOf(gaussians, regularised(opacityReg, scaleReg))), expected, 2e-6 * expected);
        }
    }
}

TEST(LossTable, RegularisersAreSumsOverWhatTheViewSees) {
    const Gaussians gaussians = variedGaussians(5000);
    reference::UpdateRules rules{.opacityReg = 0.3, .scaleReg = 0.5};
    for (size_t i = 0; i < gaussians.count(); ++i) rules.seen.push_back(i % 7 == 0 || i > 4000);
    const double expected = reference::regularisation(reference::fromGaussians(gaussians), rules);
    EXPECT_NEAR(totalLoss(sharesOf(gaussians, regularised(0.3, 0.5), regularisers(), rules.seen)), expected, 2e-6 * expected);
}

/// Before the step, splats were not seen for 0 to 8 steps, of which two fade and two passes over the views are four.
TEST(LossTable, RegularisersAreSumsOverWhatFades) {
    const Gaussians gaussians = variedGaussians(5000);
    reference::UpdateRules rules{.opacityReg = 0.3, .scaleReg = 0.5};
    TrainSettings settings = regularised(0.3, 0.5);
    settings.fadeSteps = 2;
    std::vector<uint32_t> steps;
    std::vector<bool> seen;
    for (uint32_t i = 0; i < gaussians.count(); ++i) {
        steps.push_back(i % 9);
        seen.push_back(i % 7 == 0);
        rules.seen.push_back(seen[i] || steps[i] + 1 <= 2 || steps[i] + 1 > 4);
    }
    const gpu::Buffer counts = testDevice().buffer<uint32_t>("unseen steps", steps.size());
    testDevice().upload(counts, steps);
    const double expected = reference::regularisation(reference::fromGaussians(gaussians), rules);
    EXPECT_NEAR(totalLoss(sharesOf(gaussians, settings, regularisers(), seen, unseenRule(settings, 2, counts))), expected, 2e-6 * expected);
}

TEST(LossTable, RegularisersLeaveOutWhatNoStepUpdates) {
    const Gaussians own = reference::makeScene("mixed").gaussians, spoilt = withSpoilt(own);
    const TrainSettings settings = regularised(0.3, 0.5);
    const auto alone = sharesOf(own, settings), among = sharesOf(spoilt, settings);
    // Spoilt colours do no harm to a shape: such copies of the first Gaussian count.
    const size_t shapes = static_cast<size_t>(std::ranges::count_if(spoilers(), [](const Spoiler& s) { return s.name.starts_with("sh"); }));
    ASSERT_EQ(alone.size(), among.size());
    for (size_t t = 0; t < alone.size(); ++t) {
        Gaussians first;
        first.resize(1, 0);
        first.rotations[0] = own.rotations[0];
        first.logScales[0] = own.logScales[0];
        first.logitOpacities[0] = own.logitOpacities[0];
        const double sum =
            alone[t].value * static_cast<double>(own.count()) + sharesOf(first, settings)[t].value * static_cast<double>(2 * shapes);
        EXPECT_NEAR(among[t].value, sum / static_cast<double>(spoilt.count()), 1e-6 * among[t].value) << among[t].name;
    }
}

/// The derivative of the reported value by one number of the model.
double slopeOf(Gaussians gaussians, const TrainSettings& settings, const std::function<float&(Gaussians&)>& number) {
    constexpr float kStep = 0.02f;
    const float at = number(gaussians);
    number(gaussians) = at + kStep;
    const double more = totalLoss(sharesOf(gaussians, settings));
    number(gaussians) = at - kStep;
    const double less = totalLoss(sharesOf(gaussians, settings));
    return (more - less) / (2 * static_cast<double>(kStep));
}

// Without a picture the first moment after one step is a tenth of the gradient that the step applied.
TEST(LossTable, TheGradientThatAStepAppliesIsThatOfTheReportedValue) {
    const reference::Scene scene = reference::makeMixedScene(4, 32, 24, 2);
    const size_t count = scene.gaussians.count();
    for (const auto& [opacityReg, scaleReg] : kWeights) {
        TrainSettings settings = regularised(opacityReg, scaleReg);
        settings.steps = 10;
        UpdateBench bench(scene, settings);
        bench.step(scene.camera, std::vector<shared::SplatGradient>(count));
        const reference::Numbers moments = bench.numbers().first;
        const auto expectSlope = [&](reference::ParameterClass c, size_t i, const std::function<float&(Gaussians&)>& number) {
            const double applied = 10 * moments[indexOf(c)][i];
            EXPECT_NEAR(applied, slopeOf(scene.gaussians, settings, number), 1e-3 * std::abs(applied) + 1e-5)
                << nameOf(c) << " " << i << ", weights " << opacityReg << " " << scaleReg;
        };
        for (size_t i = 0; i < count; ++i) {
            expectSlope(reference::ParameterClass::logitOpacities, i, [i](Gaussians& g) -> float& { return g.logitOpacities[i]; });
            for (int k = 0; k < 3; ++k)
                expectSlope(reference::ParameterClass::logScales, 3 * i + static_cast<size_t>(k),
                            [i, k](Gaussians& g) -> float& { return g.logScales[i][k]; });
        }
    }
}

struct SmallScene {
    reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    std::vector<Photograph> photographs = photographsOf(scene, 3);
    Gaussians start = blurred(scene.gaussians);
};

std::vector<StepReport> reportsOf(const SmallScene& s, const TrainSettings& settings) {
    std::vector<StepReport> reports;
    Trainer trainer(testDevice(), testSort(), settings, s.start, s.photographs, 1.1);
    trainer.run(settings.steps, [&](const StepReport& report) {
        reports.push_back(report);
        return true;
    });
    return reports;
}

TEST(LossTable, EveryStepReportsTheTermsThatHaveAWeightAndTheirSum) {
    const SmallScene s;
    for (const auto& [opacityReg, scaleReg] : {std::pair(0.0, 0.0), std::pair(0.4, 0.0), std::pair(0.3, 0.5)}) {
        TrainSettings settings = shortRun(40);
        settings.opacityReg = opacityReg;
        settings.scaleReg = scaleReg;
        std::vector<std::string_view> expected;
        for (const LossRow* row : lossTable()) {
            for (const LossTerm& term : row->terms)
                if (term.weight(settings, 0) != 0) expected.push_back(term.name);
        }
        const auto reports = reportsOf(s, settings);
        ASSERT_EQ(reports.size(), 40u);
        for (const StepReport& report : reports) {
            std::vector<std::string_view> found;
            double total = 0;
            for (const LossShare& share : report.losses) {
                found.push_back(share.name);
                total += share.weight * share.value;
                EXPECT_GT(share.value, 0) << share.name;
            }
            EXPECT_EQ(found, expected);
            EXPECT_EQ(report.loss, total);
        }
    }
}

TEST(LossTable, DeterministicRunsReportTheSameBits) {
    const SmallScene s;
    TrainSettings settings = shortRun(30);
    settings.opacityReg = settings.scaleReg = 0.1;
    settings.deterministic = true;
    accumulateDeterministically(settings);
    const auto first = reportsOf(s, settings), second = reportsOf(s, settings);
    for (size_t i = 0; i < first.size(); ++i) {
        for (size_t t = 0; t < first[i].losses.size(); ++t)
            EXPECT_EQ(std::bit_cast<uint64_t>(first[i].losses[t].value), std::bit_cast<uint64_t>(second[i].losses[t].value)) << i;
    }
}

/// A term of one's own takes a row and nothing else.
constexpr LossTerm kConstant{"constant", [](const TrainSettings& s, uint32_t) { return s.scaleReg; },
                             [](double sum, const LossSizes&) { return 3 * sum; }};

LossRecorder makeConstant(gpu::Device&) {
    return [](gpu::Commands& c, const LossJob&, gpu::BufferSlice sums, uint32_t first) {
        sums.offset += first * sizeof(float);
        sums.bytes = sizeof(float);
        c.fill(sums, std::bit_cast<uint32_t>(0.25f));
    };
}

constexpr LossRow kConstantRow{.terms = {&kConstant, 1}, .make = makeConstant};

TEST(LossTable, ATermIsARow) {
    std::vector<const LossRow*> rows(regularisers().begin(), regularisers().end());
    rows.push_back(&kConstantRow);
    const Gaussians gaussians = variedGaussians(300);
    const TrainSettings settings = regularised(0.3, 0.5);
    const auto without = sharesOf(gaussians, settings), with = sharesOf(gaussians, settings, rows);
    ASSERT_EQ(with.size(), without.size() + 1);
    for (size_t t = 0; t < without.size(); ++t) EXPECT_EQ(with[t].value, without[t].value) << with[t].name;
    EXPECT_EQ(with.back().name, "constant");
    EXPECT_EQ(with.back().value, 0.75);
    EXPECT_EQ(totalLoss(with), totalLoss(without) + 0.5 * 0.75);
    EXPECT_EQ(sharesOf(gaussians, regularised(0.3, 0), rows).size(), 1u) << "without a weight it is no part of the loss";
}

}  // namespace
}  // namespace splat
