// Gaussians that are removed from a training: the others go on as they are, with all that is stored of them, and so does a run that is resumed.
#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/train/checkpoint/kept_rows.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

bool goOn(const StepReport&) { return true; }

TEST(KeptRows, AreThoseOfAHandComputedCheckpoint) {
    const auto bytes = [](std::initializer_list<int> values) {
        std::vector<std::byte> all;
        for (const int value : values) all.push_back(static_cast<std::byte>(value));
        return all;
    };
    Checkpoint c;
    c.header["gaussians"] = 3;
    c.sections = {{"two planes", 2, bytes({1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6})}, {"views", 1, bytes({7, 8, 9})}};
    keepRows(c, std::array<std::string_view, 1>{"two planes"}, std::array<uint8_t, 3>{1, 0, 1});
    EXPECT_EQ(c.sections[0].bytes, bytes({1, 1, 3, 3, 4, 4, 6, 6}));
    EXPECT_EQ(c.sections[1].bytes, bytes({7, 8, 9})) << "not of Gaussians";
    EXPECT_EQ(c.value<uint32_t>("gaussians"), 2u);
}

struct Removal : testing::TestWithParam<const char*> {
    reference::Scene scene = reference::makeMixedScene(300, 40, 24, 5);
    std::vector<Photograph> photographs = photographsOf(scene, 3);

    static TrainSettings settings() { return refiningRun(GetParam(), 40); }
    Trainer trainer() const { return {testDevice(), testSort(), settings(), blurred(scene.gaussians), photographs, 1.1}; }
};

std::vector<uint8_t> everyThirdRemoved(size_t count) {
    std::vector<uint8_t> kept(count, 1);
    for (size_t i = 0; i < count; i += 3) kept[i] = 0;
    return kept;
}

void expectSameState(Trainer& a, Trainer& b) {
    const Checkpoint expected = b.checkpoint(), found = a.checkpoint();
    EXPECT_EQ(found.header, expected.header);
    expectSameBytes(found.sections, expected.sections);
}

TEST_P(Removal, GoesOnAsARunThatIsResumedWithTheRest) {
    Trainer removed = trainer(), resumed = trainer();
    removed.run(15, goOn);
    Checkpoint rest = removed.checkpoint();
    const auto count = rest.value<uint32_t>("gaussians");
    const std::vector<uint8_t> kept = everyThirdRemoved(count);
    removed.keep(kept);
    EXPECT_EQ(removed.stepsDone(), 15u);
    EXPECT_EQ(removed.checkpoint().value<uint32_t>("gaussians"), count - (count + 2) / 3);
    resumed.restore(removed.checkpoint());
    removed.run(30, goOn);
    resumed.run(30, goOn);
    expectSameState(removed, resumed);
}

/// Parameters, moments and statistics of those that stay are untouched.
TEST_P(Removal, LeavesTheRestAsItIs) {
    Trainer all = trainer(), removed = trainer();
    all.run(15, goOn);
    removed.restore(all.checkpoint());
    const Gaussians before = all.model().download(testDevice(), all.shDegree());
    const std::vector<uint8_t> kept = everyThirdRemoved(before.count());
    removed.keep(kept);
    const Gaussians after = removed.model().download(testDevice(), removed.shDegree());
    const Checkpoint found = removed.checkpoint(), from = all.checkpoint();
    size_t next = 0;
    for (size_t i = 0; i < before.count(); ++i) {
        if (kept[i] == 0) continue;
        ASSERT_EQ(after.means[next], before.means[i]);
        ASSERT_EQ(after.logitOpacities[next], before.logitOpacities[i]);
        ++next;
    }
    EXPECT_EQ(after.count(), next);
    ASSERT_EQ(found.sections.size(), from.sections.size());
    EXPECT_EQ(found.header.at("step"), from.header.at("step"));
}

TEST_P(Removal, OfAllIsRefused) {
    Trainer t = trainer();
    t.run(3, goOn);
    const Checkpoint before = t.checkpoint();
    EXPECT_THROW(t.keep(std::vector<uint8_t>(before.value<uint32_t>("gaussians"), 0)), InputError);
    expectSameBytes(t.checkpoint().sections, before.sections);
}

INSTANTIATE_TEST_SUITE_P(Strategies, Removal, testing::Values("default", "mcmc", "budget"));

}  // namespace
}  // namespace splat
