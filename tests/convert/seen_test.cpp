// Splats that no view of a dataset shows.
#include <algorithm>
#include <cmath>

#include <splatwright/convert/operation.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "tiny_dataset.h"

namespace splat {
namespace {

const LazyDevice kDevice{testDevice, []() -> const primitives::RadixSort& { return testSort(); }};

void add(Gaussians& g, glm::vec3 place, double opacity, float deviation = 1) {
    const size_t i = g.count();
    g.resize(i + 1, 0);
    g.means[i] = place;
    g.logScales[i] = glm::vec3(std::log(deviation));
    g.logitOpacities[i] = static_cast<float>(std::log(opacity / (1 - opacity)));
    g.sh[i] = glm::vec3(static_cast<float>(i));  // which is black where all are 0, and seen as well
}

std::vector<int> keptOf(Gaussians g, const std::filesystem::path& data, std::optional<float> weight = {}) {
    for (const SplatOperation* row : splatOperations())
        if (std::string_view(row->name) == "seen") changeOf(*row, data.string(), "--seen", weight)(g, kDevice);
    std::vector<int> numbers;
    for (const glm::vec3& sh : g.sh) numbers.push_back(static_cast<int>(sh.x));
    return numbers;
}

/// The cameras of the dataset are at x = 95 and 105, in front of z = 0, and look along z.
TEST(Seen, WhatNoViewShowsIsDropped) {
    const test::TinyDataset data;
    Gaussians g;
    add(g, {95, 50, 0}, 0.9, 0.1F);                                              // 0: before the first camera
    add(g, {105, 50, 0}, 0.9, 0.1F);                                             // 1: before the second
    add(g, {100, 50, -40}, 0.9, 0.1F);                                           // 2: behind both
    add(g, {95, 90, 0}, 0.9, 0.1F);                                              // 3: beside
    for (int wall = 0; wall < 4; ++wall) add(g, {95, 50, 5 + wall}, 0.99, 100);  // 4 to 7: they end every pixel of both
    add(g, {95, 50, 20}, 0.9);                                                   // 8: behind the walls
    add(g, {100, 50, 0}, 0.003, 0.1F);                                           // 9: too faint to be drawn
    add(g, {105, 52, 0}, 0.02, 0.1F);                                            // 10: faint
    const std::vector<int> kept = keptOf(g, data.path());
    for (const int i : {0, 1, 4, 10}) EXPECT_TRUE(std::ranges::count(kept, i) == 1) << i;
    for (const int i : {2, 3, 7, 8, 9}) EXPECT_FALSE(std::ranges::count(kept, i) == 1) << i;
    EXPECT_TRUE(std::ranges::is_sorted(kept));
    EXPECT_EQ(keptOf(g, data.path(), 0.3F), (std::vector{0, 1, 4}));
}

/// The near plane is a hundredth of the cameras' distance from their middle, 5 units here, as in training.
TEST(Seen, TheNearPlaneIsThatOfTraining) {
    const test::TinyDataset data;
    Gaussians g;
    const auto front = static_cast<float>(test::TinyDataset::kCameraZ);
    add(g, {95, 50, front + 0.04F}, 0.9, 0.001F);
    add(g, {95, 50, front + 0.06F}, 0.9, 0.001F);
    EXPECT_EQ(keptOf(g, data.path()), (std::vector{1}));
}

TEST(Seen, AFolderWithoutADatasetIsRefusedBeforeAnythingIsRead) {
    const test::Scratch empty;
    test::expectInputError([&] { keptOf({}, empty.path()); },
                           {"--seen: found '" + empty.path().string(), "expected", "colmap or transforms"});
}

}  // namespace
}  // namespace splat
