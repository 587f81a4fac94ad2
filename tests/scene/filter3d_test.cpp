#include <splatwright/scene/gaussians/filter3d.h>

#include <cmath>

#include <gtest/gtest.h>

#include "reference/filter.h"
#include "reference/scenes.h"

namespace splat {
namespace {

TEST(Filter3d, BakesAsTheDoubleReference) {
    Gaussians gaussians = reference::makeMixedScene(200, 64, 48, 3).gaussians;
    std::vector<float> variances;
    for (size_t i = 0; i < gaussians.count(); ++i) variances.push_back(i % 7 == 0 ? 0.0f : std::pow(10.0f, -static_cast<float>(i % 9)));
    const auto expected = reference::filtered(reference::fromGaussians(gaussians), std::vector<double>(variances.begin(), variances.end()));
    bakeFilter(gaussians, variances);
    for (size_t i = 0; i < gaussians.count(); ++i) {
        EXPECT_LT(glm::distance(glm::dvec3(gaussians.logScales[i]), expected.logScales[i]), 1e-6) << i;
        EXPECT_NEAR(gaussians.logitOpacities[i], expected.logitOpacities[i], 1e-5) << i;
    }
}

TEST(Filter3d, NoVarianceChangesNoBit) {
    const Gaussians before = reference::makeMixedScene(50, 64, 48, 3).gaussians;
    Gaussians after = before;
    bakeFilter(after, std::vector<float>(50, 0.0f));
    EXPECT_EQ(after.logScales, before.logScales);
    EXPECT_EQ(after.logitOpacities, before.logitOpacities);
}

// Opacities next to 1 and splats far smaller or larger than the filter.
TEST(Filter3d, ExtremesStayFinite) {
    for (const float logit : {-30.0f, 0.0f, 30.0f, 80.0f})
        for (const float logScale : {-60.0f, -10.0f, 0.0f, 20.0f}) {
            Gaussians gaussians;
            gaussians.resize(1, 0);
            gaussians.logitOpacities[0] = logit;
            gaussians.logScales[0] = glm::vec3(logScale);
            bakeFilter(gaussians, std::vector{1e-6f});
            EXPECT_TRUE(std::isfinite(gaussians.logitOpacities[0])) << logit << " " << logScale;
            EXPECT_LE(gaussians.logitOpacities[0], logit) << logScale;
            EXPECT_GE(gaussians.logScales[0].x, logScale);
            EXPECT_TRUE(std::isfinite(gaussians.logScales[0].x)) << logit << " " << logScale;
        }
}

}  // namespace
}  // namespace splat
