// Changing a model block by block is changing it as a whole.
#include <splatwright/convert/changed_blocks.h>

#include <map>

#include <splatwright/core/rng.h>
#include "../scene/expect_same.h"
#include "../scene/splat_samples.h"

namespace splat {
namespace {

using namespace test;

constexpr size_t kCount = 9000;  // three blocks

/// A value that drops some splats of every block, or changes all of them.
const std::map<std::string_view, std::string> kValues{
    {"translate", "1,2,3"},    {"rotate", "10,20,30"}, {"scale", "2"},         {"frame", "ply,unity"}, {"finite", ""},
    {"box", "-2,-2,-2,3,3,3"}, {"sphere", "0,0,0,3"},  {"min-opacity", "0.5"}, {"max-size", "0.2"},    {"sh-degree", "1"}};

ReachingChange changeBy(const SplatOperation& row) { return {changeOf(row, kValues.at(row.name), row.name), row.reach}; }

Gaussians model() {
    Gaussians g = randomSplats(kCount, 2);
    for (size_t i = 0; i < kCount; i += 3) g.rotations[i] = glm::vec4(0);  // for `finite`
    g.extras.push_back({"label", PlyType::uint8, {}});
    g.resize(kCount, 2);
    for (size_t i = 0; i < kCount; ++i) g.extras[0].values[i] = static_cast<std::byte>(i);
    return g;
}

Gaussians changedAsWhole(Gaussians g, const std::vector<ReachingChange>& changes) {
    for (const ReachingChange& change : changes) change.change(g, {});
    return g;
}

void expectTheSame(const Gaussians& g, const std::vector<ReachingChange>& changes) {
    const auto blocks = changedBlocks(std::make_unique<BlocksInMemory>(g), changes);
    const Gaussians expected = changedAsWhole(g, changes);
    EXPECT_EQ(blocks->count(), expected.count());
    expectSame(readBlocks(*blocks), expected);
}

TEST(ChangedBlocks, AreTheChangedModelForEveryOperationThatDoesNotNeedAll) {
    const Gaussians g = model();
    std::vector<ReachingChange> all;
    for (const SplatOperation* row : splatOperations()) {
        if (row->reach == Reach::model) continue;
        SCOPED_TRACE(row->name);
        ASSERT_TRUE(kValues.contains(row->name)) << "add a value of this operation";
        const ReachingChange change = changeBy(*row);
        EXPECT_EQ(changedAsWhole(g, {change}).count() < g.count(), row->reach == Reach::splats) << "a poor value";
        expectTheSame(g, {change});
        all.push_back(change);
    }
    EXPECT_EQ(all.size(), kValues.size());
    expectTheSame(g, all);
}

TEST(ChangedBlocks, MayBeEmpty) {
    const SplatOperation* sphere = nullptr;
    for (const SplatOperation* row : splatOperations())
        if (std::string_view(row->name) == "sphere") sphere = row;
    const Gaussians g = model();
    expectTheSame(g, {{changeOf(*sphere, "900,0,0,1", ""), sphere->reach}});
    expectTheSame(randomSplats(0, 1), {{changeOf(*sphere, "0,0,0,1", ""), sphere->reach}});
}

TEST(ChangedBlocks, AreTheBlocksWithoutChanges) {
    const Gaussians g = randomSplats(5, 1);
    auto blocks = std::make_unique<BlocksInMemory>(g);
    const SplatBlocks* before = blocks.get();
    EXPECT_EQ(changedBlocks(std::move(blocks), {}).get(), before);
}

}  // namespace
}  // namespace splat
