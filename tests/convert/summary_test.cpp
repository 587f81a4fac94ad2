// Statistics of splats against sums in plain loops.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/convert/summary.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

TEST(Summary, SaysOfEveryPropertyWhatItsFiniteNumbersAre) {
    for (const int degree : {0, 2}) {
        Rng rng(4);
        Gaussians g;
        g.resize(1001, degree);
        for (size_t i = 0; i < g.count(); ++i) {
            g.means[i] = glm::vec3(rng.normal(), 2 * rng.normal(), 5);
            g.logScales[i] = g.means[i];
            g.logitOpacities[i] = static_cast<float>(i);
        }
        for (glm::vec3& sh : g.sh) sh = glm::vec3(1, 2, 3);
        g.logitOpacities[1000] = std::numeric_limits<float>::infinity();
        const SplatSummary summary = summaryOf(g);
        EXPECT_EQ(summary.count, 1001u);
        EXPECT_EQ(summary.shDegree, degree);
        EXPECT_EQ(summary.columns.size(), 11 + 3 * shCoefficients(degree));
        for (const ColumnSummary& c : summary.columns) EXPECT_EQ(c.notFinite, c.name == "opacity" ? 1u : 0u) << c.name;
        const auto column = [&](std::string_view name) { return *std::ranges::find(summary.columns, name, &ColumnSummary::name); };
        EXPECT_EQ(column("opacity").min, 0);
        EXPECT_EQ(column("opacity").max, 999);
        EXPECT_EQ(column("opacity").median, 500);
        EXPECT_EQ(column("opacity").mean, 499.5);
        EXPECT_NEAR(column("opacity").deviation, std::sqrt((1e6 - 1) / 12), 1e-9);
        EXPECT_EQ(column("z").deviation, 0);
        EXPECT_EQ(column("f_dc_1").mean, 2);
        EXPECT_EQ(column("rot_0").min, 1);
        EXPECT_EQ(column("scale_1").max, column("y").max);
        const nlohmann::json json = toJson(summary);
        EXPECT_EQ(json["columns"].size(), summary.columns.size());
        EXPECT_EQ(json["columns"]["opacity"]["not_finite"], 1);
        for (const ColumnSummary& c : summary.columns) EXPECT_NE(toText(summary).find("\n" + c.name + " "), std::string::npos) << c.name;
    }
}

TEST(Summary, OfNothingIsZero) {
    Gaussians damaged;
    damaged.resize(1, 0);
    damaged.means[0] = glm::vec3(std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(summaryOf({}).count, 0u);
    EXPECT_EQ(summaryOf(damaged).columns[0].notFinite, 1u);
    EXPECT_EQ(summaryOf(damaged).columns[0].max, 0);
}

}  // namespace
}  // namespace splat
