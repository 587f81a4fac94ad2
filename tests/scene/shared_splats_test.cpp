#include <filesystem>

#include <splatwright/scene/formats/formats.h>
#include "compressed_ply_samples.h"
#include "spz_samples.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

const fs::path kSplats = fs::path(SPLAT_SHARED_DATA) / "splats";

/// Real files of other programs, against their twins in other formats. What the bytes mean is tested without them as well.
class SharedSplats : public testing::Test {
protected:
    void SetUp() override {
        if (!fs::exists(kSplats)) GTEST_SKIP() << kSplats << " is not on this machine";
    }
};

/// What must be alike in two files of one model whose splats come in different orders.
struct Summary {
    explicit Summary(const Gaussians& g) {
        const size_t coefficients = shCoefficients(g.shDegree);
        for (size_t i = 0; i < g.count(); ++i) {
            box.add(g.means[i]);
            position += g.means[i];
            logScale += g.logScales[i];
            opacity += sigmoid(g.logitOpacities[i]);
            dc += g.sh[i * coefficients];
        }
        const auto count = static_cast<double>(g.count());
        position /= count, logScale /= count, opacity /= count, dc /= count;
    }

    Bounds box;
    glm::dvec3 position{0}, logScale{0}, dc{0};
    double opacity = 0;
};

Gaussians withoutHigher(const Gaussians& g) {
    Gaussians flat = g;
    flat.resize(g.count(), 0);
    for (size_t i = 0; i < g.count(); ++i) flat.sh[i] = g.sh[i * shCoefficients(g.shDegree)];
    return flat;
}

TEST_F(SharedSplats, ThreePointsAreTheSameInEveryFormat) {
    const Gaussians ply = readSplats(kSplats / "three-points.ply");
    ASSERT_EQ(ply.count(), 3u);
    Steps steps = spzSample(1, 3, 3).steps;
    steps.higher = 8.5f / 128;  // the writer rounds to steps, then to every 16th of them
    Gaussians normalised = ply;
    for (glm::vec4& rotation : normalised.rotations) rotation = glm::normalize(rotation);
    expectNear(readSplats(kSplats / "three-points.spz"), normalised, steps);
    steps = splatSample(1).steps;
    steps.opacity *= 2, steps.dc *= 2;  // the writer cuts off
    expectNear(readSplats(kSplats / "three-points.splat"), withoutHigher(normalised), steps);
}

TEST_F(SharedSplats, MinimalFilesAreTheSameInEveryFormat) {
    const Gaussians third = readSplats(kSplats / "minimal-v3.spz");
    ASSERT_EQ(third.count(), 4u);
    Steps steps = spzSample(1, 3, 0).steps;
    steps.opacity = 1.0f / 255, steps.dc *= 2;  // both files are rounded
    steps.rotation = 1;                         // of round splats; who made the .splat wrote w last
    expectNear(readSplats(kSplats / "minimal.splat"), third, steps);
    const Gaussians plain = readSplats(kSplats / "minimal.splat"), buckets = readSplats(kSplats / "minimal.ksplat");
    EXPECT_EQ(buckets.means, plain.means);
    EXPECT_EQ(buckets.logScales, plain.logScales);
    EXPECT_EQ(buckets.sh, plain.sh);
    EXPECT_EQ(buckets.logitOpacities, plain.logitOpacities);
}

TEST_F(SharedSplats, VersionsOfSpzAreToldApart) {
    // Written without a change of axes, so that it comes out with y and z turned round.
    EXPECT_EQ(readSplats(kSplats / "minimal-v2.spz").means[0], glm::vec3(-1, 0, 1));
    const Gaussians third = readSplats(kSplats / "minimal-v3.spz"), fourth = readSplats(kSplats / "minimal-v4.spz");
    EXPECT_EQ(fourth.means, third.means);
    EXPECT_EQ(fourth.logScales, third.logScales);
    EXPECT_EQ(fourth.rotations, third.rotations);
    EXPECT_EQ(fourth.sh, third.sh);
    expectInputError([] { readSplats(kSplats / "minimal-raw.spz"); }, {"minimal-raw.spz", "without gzip is 2"});
}

/// Splats come in different orders, and each file rounds in its own way.
TEST_F(SharedSplats, Version4OfBikerIsItsCompressedTwin) {
    const Gaussians spz = readSplats(kSplats / "biker.spz"), ply = readSplats(kSplats / "biker.compressed.ply");
    ASSERT_EQ(spz.count(), ply.count());
    EXPECT_EQ(spz.shDegree, 0);
    const Summary a(spz), b(ply);
    EXPECT_LT(glm::distance(a.box.low, b.box.low), 1.0 / 2048);
    EXPECT_LT(glm::distance(a.box.high, b.box.high), 1.0 / 2048);
    EXPECT_LT(glm::distance(a.position, b.position), 1e-4);
    EXPECT_LT(glm::distance(a.logScale, b.logScale), 0.005);
    EXPECT_LT(glm::distance(a.dc, b.dc), 0.005);
    EXPECT_NEAR(a.opacity, b.opacity, 0.001);
}

/// The numbers are those of biker.spz, the same model from the same exporter, taken from its bytes without a reader of ours.
TEST_F(SharedSplats, CompressedBikerIsAsItsTwinSays) {
    const Gaussians biker = readSplats(kSplats / "biker.compressed.ply");
    ASSERT_EQ(biker.count(), 152746u);
    const Summary found(biker);
    const double step = 1.0 / 4096;
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(found.box.low[axis], (glm::dvec3(-0.621338, -3.180176, -0.532227)[axis]), step) << axis;
        EXPECT_NEAR(found.box.high[axis], (glm::dvec3(0.414307, 0, 0.613281)[axis]), step) << axis;
        EXPECT_NEAR(found.position[axis], (glm::dvec3(-0.0485732, -1.6050462, 0.0022861)[axis]), 1e-4) << axis;
        EXPECT_NEAR(found.logScale[axis], (glm::dvec3(-6.1312101, -5.3789674, -6.0473838)[axis]), 0.002) << axis;
        EXPECT_NEAR(found.dc[axis], (glm::dvec3(-0.6419586, -0.6816343, -0.7064932)[axis]), 0.002) << axis;
    }
    EXPECT_NEAR(found.opacity, 0.2966253, 0.001);
}

TEST_F(SharedSplats, ACompressedPlyWithHigherCoefficientsReads) {
    const Gaussians g = readSplats(kSplats / "playcanvas_test_sh3.compressed.ply");
    ASSERT_EQ(g.count(), 64u);
    EXPECT_EQ(g.shDegree, 3);
    // Red and green of one coefficient are alike in a real scene (measured: 0.33); paired in the wrong order they are not (0.68).
    double size = 0, difference = 0;
    for (size_t i = 0; i < g.sh.size(); ++i) {
        if (i % 16 == 0) continue;
        size += std::abs(g.sh[i].x) + std::abs(g.sh[i].y);
        difference += std::abs(g.sh[i].x - g.sh[i].y);
    }
    EXPECT_LT(difference, 0.5 * size);
}

/// Of an earlier draft of the extension: a matrix of all encodings, with logarithms or no meaning as scales.
TEST_F(SharedSplats, ScalesOfAnEarlierDraftOfTheGltfExtensionAreNamed) {
    expectInputError([] { readSplats(kSplats / "khr_conformance_matrix.glb"); },
                     {"khr_conformance_matrix.glb: meshes[0]: primitives[0]", "SCALE of splat 0 is -0.5, expected 0"});
}

/// Bounds and mean opacity by Python's struct.
TEST_F(SharedSplats, VictorReads) {
    const Gaussians victor = readSplats(kSplats / "victor_model.splat");
    ASSERT_EQ(victor.count(), 124495u);
    const Summary found(victor);
    EXPECT_LT(glm::distance(found.box.low, glm::vec3(-44.9939f, -26.5095f, -7.89943f)), 1e-3);
    EXPECT_LT(glm::distance(found.box.high, glm::vec3(34.7074f, 36.5007f, 57.9761f)), 1e-3);
    EXPECT_NEAR(found.opacity, 0.52635, 1e-4);
}

/// SOG in folders, of version 1 and of version 2. The numbers are those that splat-transform 3.7 gives.
TEST_F(SharedSplats, FoldersOfSogRead) {
    const Gaussians logo = readSplats(kSplats / "playcanvas-logo"), bot = readSplats(kSplats / "playbot/3_0");
    ASSERT_EQ(logo.count(), 307128u);
    EXPECT_EQ(logo.shDegree, 0);
    ASSERT_EQ(bot.count(), 31000u);
    EXPECT_EQ(bot.shDegree, 2);
    const Summary first(logo), second(bot);
    EXPECT_LT(glm::distance(first.box.low, glm::vec3(-1.534801f, -2.781668f, -0.576825f)), 2e-6);
    EXPECT_LT(glm::distance(first.box.high, glm::vec3(1.534801f, 0.295637f, 0.576825f)), 2e-6);
    EXPECT_LT(glm::distance(first.position, glm::dvec3(-0.109794, -1.351425, 0.071255)), 2e-6);
    EXPECT_LT(glm::distance(second.box.low, glm::vec3(-1.026899f, -1.081238f, -1.033641f)), 2e-6);
    EXPECT_LT(glm::distance(second.position, glm::dvec3(-0.008645, -0.108008, -0.000670)), 2e-6);
    for (const auto& [channel, mean] : {std::pair(0, -0.026283), std::pair(1, -0.051530), std::pair(2, -0.065531)}) {
        double sum = 0;  // of the first coefficient of degree 1
        for (size_t i = 0; i < bot.count(); ++i) sum += bot.sh[i * 9 + 1][channel];
        EXPECT_NEAR(sum / 31000, mean, 2e-6) << channel;
    }
    expectInputError([] { readSplats(kSplats / "playbot"); }, {"playbot/0_0/meta.json"});
}

}  // namespace
}  // namespace splat
