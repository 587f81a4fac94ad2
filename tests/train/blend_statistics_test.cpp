// Sums over the fragments of each splat, added up over views.
#include <splatwright/train/densify/blend_statistics.h>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/densify.h"
#include "support/test_device.h"

namespace splat {
namespace {

reference::Blended inDouble(const shared::BlendSums& s) {
    return {static_cast<double>(s.weight), static_cast<double>(s.value), static_cast<double>(s.square), static_cast<double>(s.count)};
}

/// Random sums of a step, and the numbers of tiles, of which a third are zero. Whole numbers, so that floats add up exactly.
struct Step {
    Step(Rng& rng, uint32_t count) : sums(count), tiles(count) {
        const auto number = [&](uint32_t below) { return static_cast<float>(rng.below(below)); };
        for (shared::BlendSums& s : sums) s = {number(64), number(32), number(9), number(7)};
        for (uint32_t& t : tiles) t = static_cast<uint32_t>(rng.below(3));
    }

    std::vector<shared::BlendSums> sums;
    std::vector<uint32_t> tiles;
};

/// Adds up steps. Rows behind `count` are beyond the model.
struct Gathering {
    explicit Gathering(uint32_t count)
        : capacity{.gaussians = count + 3, .instances = 64, .buckets = 0, .width = 16, .height = 16, .blendSums = true},
          frame(testDevice(), sized(capacity)),
          transient(frame.transient()),
          backward(testDevice(), capacity, accumulationByName("subtile"), transient),
          gathered(testDevice().buffer<shared::BlendSums>("gathered", capacity.gaussians)) {
        testDevice().upload(backward.updateCount, std::vector{count});
        testDevice().upload(backward.perUpdate, std::vector<shared::DispatchArguments>{{(count + 255) / 256, 1, 1}});
        testDevice().upload(gathered, std::vector<shared::BlendSums>(capacity.gaussians));
    }

    static FrameCapacity sized(FrameCapacity& c) {
        c.transientBytes = BackwardBuffers::transientBytes(c, accumulationByName("subtile"));
        return c;
    }
    void step(const Step& of) const {
        testDevice().upload(backward.blendSums, of.sums);
        testDevice().upload(frame.tileCounts, of.tiles);
        testDevice().run("gather",
                         [&](gpu::Commands& c) { recordGather(c, {.frame = frame, .backward = backward, .gathered = gathered}); });
    }

    FrameCapacity capacity;
    FrameBuffers frame;
    gpu::Arena transient;
    BackwardBuffers backward;
    gpu::Buffer gathered;
};

void addStep(std::vector<reference::Blended>& all, const Step& step, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (step.tiles[i] == 0) continue;
        const reference::Blended s = inDouble(step.sums[i]);
        all[i].weight += s.weight;
        all[i].value += s.value;
        all[i].square += s.square;
        all[i].count += s.count;
    }
}

TEST(BlendStatistics, AddUpOverTheViewsThatSeeAGaussian) {
    for (const uint32_t count : {1u, 255u, 256u, 257u}) {
        const Gathering gathering(count);
        std::vector<reference::Blended> expected(count + 3);
        Rng rng(count);
        for (int view = 0; view < 3; ++view) {
            const Step step(rng, count + 3);
            gathering.step(step);
            addStep(expected, step, count);
        }
        const auto found = testDevice().download<shared::BlendSums>(gathering.gathered, count + 3);
        for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(inDouble(found[i]), expected[i]) << i;
    }
}

}  // namespace
}  // namespace splat
