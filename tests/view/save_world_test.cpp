#include <splatwright/view/save_world.h>

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/formats/ply.h>
#include "../scene/scratch.h"
#include "marked_world.h"
#include "world_scene.h"

namespace splat {
namespace {

Gaussians someGaussians(size_t count, int degree, bool antialiased = false) {
    Gaussians g = reference::makeMixedScene(count, 64, 48, 4, degree).gaussians;
    g.antialiased = antialiased;
    return g;
}

/// Those whose flags do not say deleted.
Gaussians kept(const Gaussians& g, const Flags& flags) {
    Gaussians left;
    left.resize(0, g.shDegree);
    const size_t coefficients = shCoefficients(g.shDegree);
    for (size_t i = 0; i < g.count(); ++i) {
        if (flags[i] == shared::kMarkDeleted) continue;
        left.means.push_back(g.means[i]);
        left.rotations.push_back(g.rotations[i]);
        left.logScales.push_back(g.logScales[i]);
        left.logitOpacities.push_back(g.logitOpacities[i]);
        for (size_t k = 0; k < coefficients; ++k) left.sh.push_back(g.sh[i * coefficients + k]);
    }
    return left;
}

TEST(SaveWorld, WhatIsDeletedIsNotInTheFileAndWhatIsHiddenIs) {
    const test::Scratch scratch;
    MarkedWorld w(500);
    w.world.setTransform(w.first, {});
    w.history.select(OpacityRange{0.7f, 1}, Combine::set);
    w.history.edit(MarkEdit::hide);
    w.history.select(ScreenRectangle{w.scene.camera, {0, 0}, {64, 96}}, Combine::set);
    w.history.edit(MarkEdit::deleteSelected);
    const Flags flags = w.flags(w.first);
    const Gaussians expected = kept(w.scene.gaussians, flags);
    ASSERT_GT(expected.count(), 10u);
    ASSERT_LT(expected.count(), 490u);
    ASSERT_GT(std::ranges::count(flags, shared::kMarkHidden), 10);
    saveModels(w.world, std::array{w.first}, scratch.path() / "a.ply", splatWriterByName("ply"));
    expectSame(readPly(scratch.path() / "a.ply"), expected);
    w.history.undo();
    saveModels(w.world, std::array{w.first}, scratch.path() / "a.ply", splatWriterByName("ply"));
    expectSame(readPly(scratch.path() / "a.ply"), w.scene.gaussians);
}

TEST(SaveWorld, ASelectionIsSavedAloneAndInPlace) {
    MarkedWorld w(500);
    w.scatterFlags(9);
    const Flags flags = w.flags(w.first);
    Flags others = flags;
    for (uint32_t& word : others) word = word == shared::kMarkSelected ? 0 : shared::kMarkDeleted;
    const Gaussians expected = transformed(kept(w.scene.gaussians, others), w.world[w.first].transform);
    ASSERT_GT(expected.count(), 50u);
    ASSERT_LT(expected.count(), 450u);
    expectSame(placedGaussians(w.world, std::array{w.first}, shared::kMarkSelected), expected);
    EXPECT_EQ(w.world.gaussiansOf(w.first, shared::kMarkSelected).count(), expected.count());
    EXPECT_EQ(w.flags(w.first), flags);
}

TEST(SaveWorld, ExtrasStayWithTheirGaussians) {
    const test::Scratch scratch;
    MarkedWorld w(100);
    Gaussians labelled = someGaussians(60, 0);
    labelled.extras = {{"label", PlyType::uint8, std::vector<std::byte>(60)}};
    for (size_t i = 0; i < 60; ++i) labelled.extras[0].values[i] = static_cast<std::byte>(i + 1);
    const World::Id id = w.world.add("labelled", labelled);
    w.history.select(OpacityRange{0.5f, 1}, Combine::set);
    w.history.edit(MarkEdit::deleteSelected);
    const Gaussians kept = w.world.gaussiansOf(id);
    ASSERT_GT(kept.count(), 0u);
    ASSERT_LT(kept.count(), 60u);
    for (size_t i = 0; i < kept.count(); ++i) {
        const auto label = static_cast<size_t>(numberOf(kept.extras.at(0), i));
        EXPECT_EQ(kept.means[i], labelled.means[label - 1]) << i;
    }
    saveModels(w.world, std::array{id, w.first}, scratch.path() / "a.ply", splatWriterByName("ply"));
    const Gaussians both = readPly(scratch.path() / "a.ply");
    ASSERT_EQ(both.extras.size(), 1u);
    EXPECT_EQ(numberOf(both.extras[0], 0), numberOf(kept.extras[0], 0));
    EXPECT_EQ(numberOf(both.extras[0], kept.count()), 0) << "of a model without labels";
}

TEST(SaveWorld, APlacedModelIsSavedWhereItStands) {
    const test::Scratch scratch;
    World world(testDevice());
    const Gaussians g = someGaussians(300, 3, true);
    const World::Id id = world.add("model", g);
    const ModelTransform transform{.translation = {1, -2, 3}, .rotation = glm::angleAxis(0.7, glm::dvec3(0, 0.6, 0.8)), .scale = 1.7};
    world.setTransform(id, transform);
    saveModels(world, std::array{id}, scratch.path() / "a.ply", splatWriterByName("ply"));
    expectSame(readPly(scratch.path() / "a.ply"), transformed(g, transform));
}

TEST(SaveWorld, ModelsOfDifferentDegreesBecomeOne) {
    World world(testDevice());
    const Gaussians flat = someGaussians(3, 0), round = someGaussians(2, 2);
    const World::Id a = world.add("flat", flat), b = world.add("round", round);
    const Gaussians both = placedGaussians(world, std::array{a, b});
    ASSERT_EQ(both.count(), 5u);
    EXPECT_EQ(both.shDegree, 2);
    EXPECT_EQ(both.means[1], flat.means[1]);
    EXPECT_EQ(both.means[4], round.means[1]);
    EXPECT_EQ(both.sh[9], flat.sh[1]);
    for (size_t k = 10; k < 18; ++k) EXPECT_EQ(both.sh[k], glm::vec3(0));
    EXPECT_EQ(std::vector(both.sh.begin() + 27, both.sh.end()), round.sh);
    EXPECT_EQ(placedGaussians(world, {}).count(), 0u);
}

TEST(SaveWorld, ModelsWithAndWithoutThe2dFilterStayApart) {
    World world(testDevice());
    const World::Id a = world.add("plain", someGaussians(3, 0)), b = world.add("filtered", someGaussians(3, 0, true));
    EXPECT_TRUE(placedGaussians(world, std::array{b}).antialiased);
    test::expectInputError([&] { placedGaussians(world, std::array{a, b}); }, {"filtered", "plain", "2D filter"});
}

}  // namespace
}  // namespace splat
