// The mean of the last states (average_steps): what it is of, where it begins, and that it survives checkpoints and changes.
#include <map>

#include <gtest/gtest.h>

#include <splatwright/shared/dispatch.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/parts/average_settings.h>
#include <splatwright/train/step/trainer.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

struct Seen {
    Gaussians start;
    std::vector<Photograph> photographs;
};

const Seen& seen(size_t count = 60) {
    static std::map<size_t, Seen> all;
    const auto [place, isNew] = all.try_emplace(count);
    if (isNew) {
        const reference::Scene scene = reference::makeMixedScene(count, 32, 24, 6);
        place->second = {blurred(scene.gaussians), photographsOf(scene, 3)};
    }
    return place->second;
}

TrainSettings averagingRun(uint32_t steps, uint32_t averaged) {
    TrainSettings settings = shortRun(steps);
    settings.accumulate = "fixed-point";
    settings.deterministic = true;
    settings.densifyUntil = 0;
    settings.of<AverageSettings>().averageSteps = averaged;
    return settings;
}

Trainer trainerOf(const TrainSettings& settings, const Seen& data = seen()) {
    return {testDevice(), testSort(), settings, data.start, data.photographs, 1.1};
}

Checkpoint after(Trainer& trainer, uint32_t step) {
    trainer.run(step, [](const StepReport&) { return true; });
    return trainer.checkpoint();
}

std::vector<float> floatsIn(const Checkpoint& checkpoint, const AttributeRow& row) {
    const std::vector<std::byte>& bytes = checkpoint.section(row.section, row.words * sizeof(float)).bytes;
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), bytes.size());
    return floats;
}

/// Expects every parameter to be the mean of those of the states, which differ.
void expectMean(const Checkpoint& found, const std::vector<Checkpoint>& states) {
    for (const AttributeRow& row : kAttributes) {
        const std::vector<float> mean = floatsIn(found, row);
        size_t moved = 0;
        for (size_t i = 0; i < mean.size(); ++i) {
            double sum = 0;
            for (const Checkpoint& state : states) sum += floatsIn(state, row)[i];
            const double expected = sum / static_cast<double>(states.size());
            ASSERT_NEAR(mean[i], expected, 1e-6 * std::max(1.0, std::abs(expected))) << row.section << " " << i;
            moved += mean[i] != floatsIn(states.back(), row)[i] ? 1u : 0u;
        }
        EXPECT_EQ(moved > 0, states.size() > 1) << row.section;
    }
}

bool hasAverages(const Checkpoint& checkpoint) { return checkpoint.has("average means"); }

TEST(Average, IsTheMeanOfEveryTenthOfTheLastStates) {
    for (const size_t count : {shared::kBlock - 1, shared::kBlock, shared::kBlock + 1}) {
        Trainer plain = trainerOf(averagingRun(45, 0), seen(count)), averaging = trainerOf(averagingRun(45, 30), seen(count));
        const std::vector<Checkpoint> states = {after(plain, 25), after(plain, 35), after(plain, 45)};
        const Checkpoint found = after(averaging, 45);
        expectMean(found, states);
        for (const AttributeRow& row : kAttributes) {
            const uint32_t bytes = row.momentWords * 4;
            EXPECT_EQ(found.section(row.moments, bytes).bytes, states.back().section(row.moments, bytes).bytes) << row.moments;
        }
    }
}

TEST(Average, BeginsWhereRefinementsEnd) {
    for (const uint32_t until : {0u, 24u, 40u, 45u}) {
        TrainSettings settings = averagingRun(45, 1000);
        settings.densifyUntil = until;
        Trainer averaging = trainerOf(settings);
        settings.of<AverageSettings>().averageSteps = 0;
        Trainer plain = trainerOf(settings);
        std::vector<Checkpoint> states;
        for (const uint32_t step : {5u, 15u, 25u, 35u, 45u}) {
            Checkpoint state = after(plain, step);
            if (step > until || step == 45) states.push_back(std::move(state));
        }
        expectMean(after(averaging, 45), states);
    }
}

TEST(Average, TakesMemoryOnlyWhileItIsMade) {
    Trainer trainer = trainerOf(averagingRun(45, 30));
    EXPECT_FALSE(hasAverages(after(trainer, 24)));
    EXPECT_TRUE(hasAverages(after(trainer, 25)));
    EXPECT_TRUE(hasAverages(after(trainer, 44)));
    EXPECT_FALSE(hasAverages(after(trainer, 45)));
}

TEST(Average, ResumesFromACheckpointWithTheSameBits) {
    for (const uint32_t stop : {10u, 25u, 37u}) {
        Trainer whole = trainerOf(averagingRun(45, 30)), first = trainerOf(averagingRun(45, 30)), second = trainerOf(averagingRun(45, 30));
        const Checkpoint expected = after(whole, 45), stopped = after(first, stop);
        after(second, 30);  // what it has of its own is replaced
        second.restore(stopped);
        expectSameBytes(after(second, 45).sections, expected.sections);
    }
}

/// The states of steps that are no longer the last ones do not count.
TEST(Average, StartsAgainWhereStepsAreAdded) {
    for (const uint32_t extendedAt : {37u, 45u}) {
        Trainer averaging = trainerOf(averagingRun(45, 30)), plain = trainerOf(averagingRun(60, 0));
        plain.restore(after(averaging, extendedAt));
        averaging.change(averagingRun(60, 30));
        std::vector<Checkpoint> states;
        for (const uint32_t step : {40u, 50u, 60u}) {
            if (step > extendedAt) states.push_back(after(plain, step));
        }
        expectMean(after(averaging, 60), states);
    }
}

TEST(Average, EndsWhereTheSettingDoes) {
    Trainer averaging = trainerOf(averagingRun(45, 30)), plain = trainerOf(averagingRun(45, 0));
    after(averaging, 37);
    averaging.change(averagingRun(45, 0));
    EXPECT_FALSE(hasAverages(averaging.checkpoint()));
    const Checkpoint found = after(averaging, 45), expected = after(plain, 45);
    for (const AttributeRow& row : kAttributes) EXPECT_EQ(floatsIn(found, row), floatsIn(expected, row)) << row.section;
}

TEST(Average, ADamagedCheckpointChangesNothing) {
    Trainer averaging = trainerOf(averagingRun(45, 30)), whole = trainerOf(averagingRun(45, 30));
    Checkpoint damaged = after(averaging, 37);
    for (CheckpointSection& section : damaged.sections) {
        if (section.name == "average rotations") section.bytes.pop_back();
    }
    EXPECT_THROW(averaging.restore(damaged), InputError);
    expectSameBytes(after(averaging, 45).sections, after(whole, 45).sections);
}

}  // namespace
}  // namespace splat
