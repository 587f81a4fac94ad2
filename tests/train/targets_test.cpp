#include <splatwright/train/loss/targets.h>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/memory_budget.h>
#include "support/test_device.h"

namespace splat {
namespace {

/// Photographs of many sizes, some larger than others by far.
std::vector<Photograph> photographs(int count) {
    Rng rng(static_cast<uint64_t>(count));
    std::vector<Photograph> result;
    for (int i = 0; i < count; ++i) {
        Image8 image(1 + static_cast<int>(rng.below(90)), 1 + static_cast<int>(rng.below(70)), 3);
        for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(256));
        const Camera camera{.width = image.width, .height = image.height, .fx = 50, .fy = 50, .cx = 5, .cy = 5};
        result.push_back({std::to_string(i), camera, std::move(image)});
    }
    return result;
}

size_t pixelsOf(const Photograph& p) { return static_cast<size_t>(p.image.width) * static_cast<size_t>(p.image.height); }

std::vector<uint32_t> wordsOf(const Photograph& p) {
    std::vector<uint32_t> words;
    for (size_t i = 0; i < pixelsOf(p); ++i) {
        const uint8_t* rgb = &p.image.pixels[3 * i];
        words.push_back(rgb[0] + 256u * rgb[1] + 65536u * rgb[2] + 0xff000000u);
    }
    return words;
}

/// What steps on these views read, all submitted before the host looks.
std::vector<std::vector<uint32_t>> read(gpu::Device& device, Targets& targets, const std::vector<Photograph>& wanted,
                                        const std::vector<size_t>& views) {
    std::vector<gpu::Buffer> kept;
    std::vector<gpu::Commands> steps;
    const uint64_t waits = device.waits();
    for (uint32_t step = 0; step < views.size(); ++step) {
        kept.push_back(device.buffer<uint32_t>("kept", pixelsOf(wanted[views[step]])));
        gpu::BufferSlice photograph = targets.of(views[step]);
        photograph.offset += VkDeviceSize{4} * targets.firstPixel(step);
        photograph.bytes = 4 * pixelsOf(wanted[views[step]]);
        steps.emplace_back(device, "keep").copy(photograph, kept.back());
        steps.back().end();
        const gpu::Arrival arrival = targets.fetch(step, views[step]);
        targets.release(step, device.submit(steps.back(), arrival));
    }
    EXPECT_EQ(device.waits(), waits);
    std::vector<std::vector<uint32_t>> found;
    for (size_t i = 0; i < views.size(); ++i) found.push_back(device.download<uint32_t>(kept[i], pixelsOf(wanted[views[i]])));
    return found;
}

std::vector<size_t> randomViews(size_t steps, size_t views) {
    Rng rng(7);
    std::vector<size_t> order(steps);
    for (size_t& view : order) view = rng.below(views);
    return order;
}

void expectEveryStepReadsItsView(gpu::Device& device, Targets& targets, const std::vector<Photograph>& wanted) {
    const auto order = randomViews(60, wanted.size());
    const auto found = read(device, targets, wanted, order);
    for (size_t step = 0; step < order.size(); ++step) EXPECT_EQ(found[step], wordsOf(wanted[order[step]])) << "step " << step;
}

uint64_t bytesOf(const std::vector<Photograph>& all) {
    uint64_t bytes = 0;
    for (const Photograph& p : all) bytes += 4 * pixelsOf(p);
    return bytes;
}

TEST(Targets, PhotographsThatFitStayOnTheGpu) {
    const auto wanted = photographs(9);
    auto taken = wanted;
    Targets targets(testDevice(), taken, bytesOf(wanted));
    EXPECT_TRUE(targets.resident());
    EXPECT_EQ(targets.firstPixel(7), 0u);
    expectEveryStepReadsItsView(testDevice(), targets, wanted);
}

TEST(Targets, OthersAreCopiedAheadOfTheirStepInAnyOrder) {
    const auto wanted = photographs(9);
    auto taken = wanted;
    Targets targets(testDevice(), taken, bytesOf(wanted) - 1);
    EXPECT_FALSE(targets.resident());
    expectEveryStepReadsItsView(testDevice(), targets, wanted);
}

/// The images of all levels, in the order of Targets::image().
std::vector<Photograph> levelsOf(const std::vector<Photograph>& photographs, uint32_t levels) {
    std::vector<Photograph> images;
    for (uint32_t level = 0; level < levels; ++level) {
        for (const Photograph& p : photographs) images.push_back(downscaled(p, 1 << level));
    }
    return images;
}

TEST(Targets, EveryLevelIsThereOnTheGpuOrStreamed) {
    for (const uint64_t budget : {uint64_t{0}, UINT64_MAX}) {
        const auto wanted = photographs(7);
        auto taken = wanted;
        Targets targets(testDevice(), taken, budget, 4);
        EXPECT_EQ(targets.image(2, 3), 23u);
        expectEveryStepReadsItsView(testDevice(), targets, levelsOf(wanted, 4));
        targets.readback(5, taken[5]);
        EXPECT_EQ(taken[5].image.pixels, wanted[5].image.pixels);
    }
}

TEST(Targets, StreamingWorksOnTheOnlyQueueToo) {
    gpu::Device device(testDeviceOptions({"transfer-queue"}));
    const auto wanted = photographs(5);
    auto taken = wanted;
    Targets targets(device, taken, 0);
    expectEveryStepReadsItsView(device, targets, wanted);
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(Targets, StreamedPhotographsTakeTwoSlotsOfTheLargest) {
    auto taken = photographs(50);
    size_t largest = 0;
    for (const Photograph& p : taken) largest = std::max(largest, 4 * pixelsOf(p));
    const int64_t before = testDevice().memoryInUse();
    const Targets targets(testDevice(), taken, 0);
    constexpr int64_t kGranularity = 4096;  // bytes that a driver may round an allocation up by
    EXPECT_LE(testDevice().memoryInUse() - before, static_cast<int64_t>(2 * largest) + 2 * kGranularity);
}

constexpr uint64_t kMiB = uint64_t{1} << 20u;

/// Square photographs, on a device whose driver grants so much more than it uses, or says nothing.
struct Room {
    std::string name;
    std::optional<uint64_t> free;
    uint64_t allowed;  ///< bytes
    int count, size;   ///< of photographs, and their width in pixels
    bool resident;
    uint32_t stepsAtOnce;
};

class TargetsRoom : public testing::TestWithParam<Room> {};

TEST_P(TargetsRoom, ImagesStayOnTheGpuWhereItHasMemoryToSpare) {
    const Room& room = GetParam();
    gpu::Device device(testDeviceOptions());
    device.known<gpu::BudgetQuery>(gpu::kBudgetQuery, [&] {
        return [free = room.free]() -> std::optional<gpu::MemoryBudget> {
            if (!free) return std::nullopt;
            return gpu::MemoryBudget{.bytes = 100 * kMiB + *free, .used = 100 * kMiB};
        };
    });
    const Camera camera{.width = room.size, .height = room.size, .fx = 50, .fy = 50, .cx = 5, .cy = 5};
    std::vector<Photograph> taken;
    for (int i = 0; i < room.count; ++i) taken.push_back({std::to_string(i), camera, Image8(room.size, room.size, 3)});
    const Targets targets(device, taken, room.allowed);
    EXPECT_EQ(targets.resident(), room.resident);
    EXPECT_EQ(targets.stepsAtOnce(), room.stepsAtOnce);
}

INSTANTIATE_TEST_SUITE_P(Cases, TargetsRoom,
                         testing::Values(Room{"an_eighth", 68 * kMiB * 8, 68 * kMiB, 17, 1024, true, 4},
                                         Room{"more_than_an_eighth", 68 * kMiB * 8 - 1, 68 * kMiB, 17, 1024, false, 4},
                                         Room{"no_budget", std::nullopt, 68 * kMiB, 17, 1024, false, 4},
                                         Room{"more_than_allowed", 1000 * kMiB, 68 * kMiB - 1, 17, 1024, false, 4},
                                         Room{"little_in_all", 65 * kMiB, 64 * kMiB, 16, 1024, true, 4},
                                         Room{"four_slots", 68 * kMiB, 100 * kMiB, 6, 1774, false, 2},
                                         Room{"few_bytes_for_slots", 1000 * kMiB, 16 * kMiB, 17, 1024, false, 2}),
                         [](const auto& test) { return test.param.name; });

TEST(Targets, TwoPhotographsNeedNoStreaming) {
    auto taken = photographs(1);
    taken.push_back(taken[0]);
    EXPECT_TRUE(Targets(testDevice(), taken, 0).resident());
}

TEST(Targets, PixelsAreTakenAndSizesStay) {
    for (const uint64_t budget : {uint64_t{0}, UINT64_MAX}) {
        const auto wanted = photographs(6);
        auto taken = wanted;
        const Targets targets(testDevice(), taken, budget);
        for (size_t i = 0; i < taken.size(); ++i) {
            EXPECT_EQ(taken[i].image.pixels.capacity(), 0u);
            EXPECT_EQ(pixelsOf(taken[i]), pixelsOf(wanted[i]));
        }
    }
}

TEST(Targets, GivesPixelsAndCoverageBackAsTheyWere) {
    auto wanted = photographs(7);
    for (size_t i = 0; i < wanted.size(); i += 2) {  // the others are opaque
        Photograph& p = wanted[i];
        p.covers = Coverage::alpha;
        p.coverage = Image8(p.image.width, p.image.height, 1);
        for (size_t k = 0; k < p.coverage.pixels.size(); ++k) p.coverage.pixels[k] = static_cast<uint8_t>(k * 7);
    }
    for (const uint64_t budget : {uint64_t{0}, UINT64_MAX}) {
        auto taken = wanted;
        const Targets targets(testDevice(), taken, budget);
        for (size_t i = 0; i < taken.size(); ++i) {
            targets.readback(i, taken[i]);
            EXPECT_EQ(taken[i].image.pixels, wanted[i].image.pixels) << i;
            EXPECT_EQ(taken[i].coverage.pixels, wanted[i].coverage.pixels) << i;
        }
    }
}

}  // namespace
}  // namespace splat
