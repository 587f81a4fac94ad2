#include <splatwright/scene/gaussians/affine_transform.h>

#include <gtest/gtest.h>

#include <splatwright/scene/gaussians/model_transform.h>
#include "reference/render.h"
#include "scratch.h"
#include "splat_samples.h"

namespace splat {
namespace {

using namespace test;

glm::dmat3 covariance(const Gaussians& g, size_t i) {
    const glm::dvec3 s = glm::exp(glm::dvec3(g.logScales[i]));
    const glm::dmat3 axes =
        reference::rotationMatrix(glm::normalize(glm::dvec4(g.rotations[i]))) * glm::dmat3(s.x, 0, 0, 0, s.y, 0, 0, 0, s.z);
    return axes * glm::transpose(axes);
}

glm::dmat4 matrixOf(const ModelTransform& t, glm::dvec3 scale) {
    glm::dmat4 matrix(glm::mat3_cast(t.rotation));
    for (int c = 0; c < 3; ++c) matrix[c] *= scale[c];
    matrix[3] = glm::dvec4(t.translation, 1);
    return matrix;
}

const ModelTransform kTurn{.translation = {1, -2, 3}, .rotation = glm::angleAxis(0.7, glm::normalize(glm::dvec3(1, 2, -1))), .scale = 1};

TEST(AffineTransform, CovariancesFollowTheMatrixAndColoursItsRotation) {
    const Gaussians g = randomSplats(50, 3);
    for (const glm::dvec3 scale : {glm::dvec3(0.5, 2, 3), glm::dvec3(1, 1, 1.001), glm::dvec3(1e-3, 1, 1e3)}) {
        const glm::dmat4 matrix = matrixOf(kTurn, scale);
        const Gaussians found = transformed(g, matrix, "a"), turned = transformed(g, kTurn);
        for (size_t i = 0; i < g.count(); ++i) {
            const glm::dmat3 expected = glm::dmat3(matrix) * covariance(g, i) * glm::transpose(glm::dmat3(matrix)),
                             is = covariance(found, i);
            const double size = std::abs(expected[0][0]) + std::abs(expected[1][1]) + std::abs(expected[2][2]);
            for (int c = 0; c < 3; ++c) EXPECT_LT(glm::distance(is[c], expected[c]), 2e-6 * size) << i;
            EXPECT_LT(glm::distance(glm::dvec3(found.means[i]), glm::dvec3(matrix * glm::dvec4(g.means[i], 1))), 1e-3);
        }
        EXPECT_EQ(found.logitOpacities, g.logitOpacities);
        for (size_t k = 0; k < g.sh.size(); ++k) EXPECT_LT(glm::distance(found.sh[k], turned.sh[k]), 1e-5f) << k;
    }
}

TEST(AffineTransform, OneScaleIsASimilarity) {
    const Gaussians g = randomSplats(20, 2);
    ModelTransform similarity = kTurn;
    similarity.scale = 2.5;
    const Gaussians found = transformed(g, matrixOf(kTurn, glm::dvec3(2.5)), "a"), expected = transformed(g, similarity);
    for (size_t i = 0; i < g.count(); ++i) {
        EXPECT_LT(glm::distance(found.means[i], expected.means[i]), 1e-5f);
        EXPECT_LT(
            std::min(glm::distance(found.rotations[i], expected.rotations[i]), glm::distance(found.rotations[i], -expected.rotations[i])),
            1e-5f);
        EXPECT_LT(glm::distance(found.logScales[i], expected.logScales[i]), 1e-5f);
    }
    EXPECT_EQ(transformed(g, glm::dmat4(1), "a").rotations, g.rotations) << "to the bit";
}

TEST(AffineTransform, MatricesThatMirrorOrShearAreNamed) {
    glm::dmat4 mirror(1), shear(1), flat(1), none(std::numeric_limits<double>::quiet_NaN());
    mirror[1][1] = -1, shear[1][0] = 0.5, flat[2][2] = 0;
    for (const glm::dmat4& matrix : {mirror, shear, flat, none})
        expectInputError([&] { transformed(randomSplats(1, 0), matrix, "nodes[7]"); },
                         {"nodes[7]", "expected a rotation and positive scales"});
}

}  // namespace
}  // namespace splat
