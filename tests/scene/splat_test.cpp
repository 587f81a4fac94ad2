#include <limits>

#include <splatwright/scene/formats/formats.h>
#include "scratch.h"
#include "splat_samples.h"

namespace splat {
namespace {

using namespace test;

/// One record of a .splat file.
struct Record {
    glm::vec3 position{1, -2, 3}, scale{0.5f, 1, 2};
    glm::u8vec4 colour{255, 0, 51, 51}, rotation{192, 64, 128, 255};

    std::string content() const { return Bytes().put(position).put(scale).put(colour).put(rotation).content(); }
};

Gaussians read(const Record& record) {
    const Scratch scratch;
    return readSplats(scratch.write("a.splat", record.content()));
}

TEST(Splat, ReadsARecordByHand) {
    const Gaussians g = read({});
    ASSERT_EQ(g.count(), 1u);
    EXPECT_EQ(g.shDegree, 0);
    EXPECT_EQ(g.means[0], glm::vec3(1, -2, 3));
    EXPECT_NEAR(g.logScales[0].x, -0.693147, 1e-6);
    EXPECT_EQ(g.logScales[0].y, 0);
    EXPECT_NEAR(g.logScales[0].z, 0.693147, 1e-6);
    EXPECT_NEAR(g.logitOpacities[0], std::log(0.25), 1e-6);  // 51 / 255 = 0.2
    EXPECT_NEAR(g.sh[0].x, 0.5 / 0.28209479, 1e-6);
    EXPECT_NEAR(g.sh[0].y, -0.5 / 0.28209479, 1e-6);
    EXPECT_NEAR(g.sh[0].z, -0.3 / 0.28209479, 1e-6);
    const glm::vec4 q = glm::normalize(glm::vec4(0.5f, -0.5f, 0, 127.0f / 128));
    EXPECT_LT(glm::distance(g.rotations[0], q), 1e-6);
}

TEST(Splat, TheEndsOfOpacityAreFiniteAndInvisibleOrOpaque) {
    const float clear = read({.colour = {0, 0, 0, 0}}).logitOpacities[0], solid = read({.colour = {0, 0, 0, 255}}).logitOpacities[0];
    EXPECT_LT(sigmoid(clear), 1.0f / 255);
    EXPECT_GT(sigmoid(solid), 254.5f / 255);
    EXPECT_TRUE(std::isfinite(clear) && std::isfinite(solid));
    EXPECT_EQ(std::lround(255 * sigmoid(clear)), 0);
}

TEST(Splat, AScaleOfZeroIsTheSmallestAndOthersMustBePositive) {
    EXPECT_LT(read({.scale = {0, 1, 1}}).logScales[0].x, -87);
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    for (const float bad : {-1.0f, nan, infinite}) {
        expectInputError([&] { read({.scale = {1, bad, 1}}); }, {"a.splat", "scale of splat 0", "finite"});
    }
    expectInputError([&] { read({.position = {0, nan, 0}}); }, {"position of splat 0"});
}

TEST(Splat, AQuaternionOfZeroIsTheIdentity) { EXPECT_EQ(read({.rotation = glm::u8vec4(128)}).rotations[0], glm::vec4(1, 0, 0, 0)); }

TEST(Splat, TheSizeMustBeAMultipleOfARecord) {
    const Scratch scratch;
    expectInputError([&] { readSplats(scratch.write("a.splat", std::string(33, '\0'))); }, {"a.splat", "33 bytes", "multiple of 32"});
    expectInputError([&] { readSplats(scratch.write("a.splat", "")); }, {"0 bytes", "at least one"});
}

TEST(Splat, TheFirstBadRecordIsNamed) {
    const Scratch scratch;
    std::string content;
    for (size_t i = 0; i < 10'000; ++i) content += Record{.scale = {1, 1, i < 7'777 ? 1 : -1}}.content();
    expectInputError([&] { readSplats(scratch.write("a.splat", content)); }, {"scale of splat 7777"});
}

}  // namespace
}  // namespace splat
