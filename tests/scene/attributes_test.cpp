// The table of attributes: every number of a model is found by it, in the right array and file property.
#include <splatwright/scene/gaussians/attributes.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include <splatwright/scene/formats/ply.h>
#include "expect_same.h"
#include "scratch.h"
#include "support/numbered_gaussians.h"

namespace splat {
namespace {

TEST(Attributes, AreAllArraysOfAModel) {
    for (int degree = 0; degree <= kMaxShDegree; ++degree) {
        const Gaussians g = numberedGaussians(5, degree);
        std::vector<float> found;
        for (const AttributeRow& row : kAttributes)
            for (uint32_t plane = 0; plane < planesAt(row, degree); ++plane)
                for (const float word : gather(g, row, plane)) found.push_back(word);
        std::ranges::sort(found);
        std::vector<float> expected(g.count() * (3 + 4 + 3 + 1 + 3 * shCoefficients(degree)));
        std::iota(expected.begin(), expected.end(), 1.0f);
        EXPECT_EQ(found, expected) << degree;
    }
}

TEST(Attributes, RowsAreFoundByTheEnum) {
    const Gaussians g = numberedGaussians(2, 1);
    const auto second = [&](Attribute a) { return gather(g, rowOf(a), 0)[rowOf(a).words]; };
    EXPECT_EQ(second(Attribute::means), g.means[1].x);
    EXPECT_EQ(second(Attribute::sh0), g.sh[4].x);
    EXPECT_EQ(second(Attribute::shRest), g.sh[5].x);
    EXPECT_EQ(second(Attribute::logitOpacities), g.logitOpacities[1]);
    EXPECT_EQ(second(Attribute::logScales), g.logScales[1].x);
    EXPECT_EQ(second(Attribute::rotations), g.rotations[1].x);
}

TEST(Attributes, ScatterIsTheInverseOfGather) {
    const Gaussians g = numberedGaussians(7, 3);
    Gaussians copy;
    copy.resize(g.count(), 3);
    for (const AttributeRow& row : kAttributes)
        for (uint32_t plane = 0; plane < row.planes; ++plane) scatter(copy, row, plane, gather(g, row, plane));
    expectSame(copy, g);
    EXPECT_THROW(scatter(copy, kAttributes[0], 0, {}), std::logic_error);
}

TEST(Attributes, ACopiedGaussianHasEveryNumberOfItsSource) {
    for (const auto& [from, to] : {std::pair(3, 3), std::pair(1, 3), std::pair(3, 1), std::pair(0, 0)}) {
        const Gaussians source = numberedGaussians(4, from);
        Gaussians target;
        target.resize(6, to);
        copyGaussian(target, 5, source, 2);
        for (const AttributeRow& row : kAttributes) {
            for (uint32_t plane = 0; plane < planesAt(row, to); ++plane) {
                const auto words = gather(target, row, plane);
                const bool had = plane < planesAt(row, from);
                const auto expected = had ? gather(source, row, plane) : std::vector<float>(size_t{4} * row.words);
                for (uint32_t w = 0; w < row.words; ++w)
                    EXPECT_EQ(words[5 * row.words + w], expected[2 * row.words + w]) << row.section << " " << plane << " " << w;
            }
        }
    }
}

TEST(Attributes, PropertiesOfAFileAreDistinctAndComeBack) {
    const test::Scratch scratch;
    for (int degree = 0; degree <= kMaxShDegree; ++degree) {
        const Gaussians g = numberedGaussians(9, degree);
        writePly(scratch.path() / "model.ply", g);
        expectSame(readPly(scratch.path() / "model.ply"), g);
    }
    EXPECT_EQ(plyProperty(rowOf(Attribute::means), 3, 0, 2), "z");
    EXPECT_EQ(plyProperty(rowOf(Attribute::shRest), 3, 14, 2), "f_rest_44");
    EXPECT_EQ(plyProperty(rowOf(Attribute::shRest), 1, 1, 2), "f_rest_7");
}

TEST(Attributes, ArraysOfOtherLengthsAreRefused) {
    checkSizes(numberedGaussians(3, 2));
    using Shorten = void (*)(Gaussians&);
    for (const Shorten shorten :
         {Shorten([](Gaussians& g) { g.means.pop_back(); }), Shorten([](Gaussians& g) { g.sh.pop_back(); }),
          Shorten([](Gaussians& g) { g.logitOpacities.pop_back(); }), Shorten([](Gaussians& g) { g.logScales.pop_back(); }),
          Shorten([](Gaussians& g) { g.rotations.pop_back(); })}) {
        Gaussians g = numberedGaussians(3, 2);
        shorten(g);
        EXPECT_THROW(checkSizes(g), std::logic_error);
    }
}

}  // namespace
}  // namespace splat
