// GPS positions as the frame of a dataset.
#include <splatwright/prepare/gps_frame.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/prepare/scene_frame.h>
#include "../scene/scratch.h"

namespace splat::prepare {
namespace {

using glm::dvec3;

constexpr GeoPosition kHere{48.7758, 9.1829, 245};

/// The position so many metres to the east, north and up.
GeoPosition at(const dvec3& metres, const GeoPosition& origin = kHere) {
    GeoPosition found = origin;
    for (int i = 0; i < 5; ++i) {
        const dvec3 left = metres - localMetres(found, origin);
        found.latitude += left.y / 111'000;
        found.longitude += left.x / (111'000 * std::cos(glm::radians(origin.latitude)));
        found.altitude = found.altitude.value_or(0) + left.z;
    }
    return found;
}

/// Cameras on a wavy ring of 8 m, in a model of another scale that is turned.
struct Ring {
    explicit Ring(size_t count) {
        for (size_t i = 0; i < count; ++i) {
            const double angle = 2 * 3.14159265 * static_cast<double>(i) / static_cast<double>(count);
            const dvec3 metres(8 * std::cos(angle), 8 * std::sin(angle), 2 + std::sin(3 * angle));
            local.push_back(metres);
            cameras.push_back({inModel(metres), at(metres)});
        }
    }
    static dvec3 inModel(const dvec3& metres) {
        const glm::dmat3 turn = glm::mat3_cast(glm::normalize(glm::dquat(0.3, 0.5, -0.4, 0.7)));
        return turn * metres * 0.07 + dvec3(3, -1, 2);
    }
    /// The largest distance of a camera from where it is: in the frame, x is east, y down and z north of the fit's origin.
    double worst(const GpsFit& fit) const {
        const dvec3 origin = localMetres(fit.origin, kHere);
        double worst = 0;
        for (const dvec3& metres : local) {
            const dvec3 there = metres - origin;
            worst = std::max(worst, glm::distance(fit.similarity(inModel(metres)), dvec3(there.x, -there.z, there.y)));
        }
        return worst;
    }

    std::vector<dvec3> local;
    std::vector<GpsCamera> cameras;
};

TEST(Gps, DegreesBecomeMetresOnTheEllipsoid) {
    const GeoPosition equator{0, 0, 0};
    const dvec3 east = localMetres({0, 0.001, 0}, equator), north = localMetres({0.001, 0, 0}, equator);
    EXPECT_NEAR(east.x, 111.3195, 1e-3);
    EXPECT_NEAR(north.y, 110.5743, 1e-3);
    EXPECT_NEAR(localMetres({0, 0, 25}, equator).z, 25, 1e-9);
    EXPECT_NEAR(localMetres({60, 0.001, 0}, {60, 0, 0}).x, 55.8002, 1e-3);
    EXPECT_NEAR(localMetres({10, 179.9999, 0}, {10, -179.9999, 0}).x, -21.9281, 1e-3) << "across the date line";
}

TEST(Gps, ExactPositionsGiveTheFrame) {
    const Ring ring(12);
    const GpsFit fit = fitGps(ring.cameras);
    EXPECT_LT(ring.worst(fit), 1e-3);
    EXPECT_EQ(fit.used, 12u);
    EXPECT_NEAR(fit.similarity.scale, 1 / 0.07, 1e-3);
    EXPECT_LT(fit.largest, 1e-3);
}

TEST(Gps, FourPositionsOfTenMayBeWrong) {
    Ring ring(20);
    for (size_t i = 0; i < 8; ++i) {
        const double far = 30 + 10 * static_cast<double>(i);
        ring.cameras[2 * i].position = at(ring.local[2 * i] + dvec3(far, -far, 0.5 * far));
    }
    const GpsFit fit = fitGps(ring.cameras);
    EXPECT_LT(ring.worst(fit), 0.01);
    EXPECT_EQ(fit.used, 12u);
}

TEST(Gps, ErrorsOfPositionsAverageOut) {
    Ring ring(40);
    Rng rng(7);
    for (size_t i = 0; i < ring.local.size(); ++i)
        ring.cameras[i].position = at(ring.local[i] + dvec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)));
    const GpsFit fit = fitGps(ring.cameras);
    EXPECT_LT(ring.worst(fit), 0.7);
    EXPECT_NEAR(fit.rms, 1, 0.3) << "the square root of 3 times a third";
    EXPECT_GT(fit.used, 35u);
}

TEST(Gps, TooFewOnALineOrElsewhereAreRefused) {
    Ring two(2);
    test::expectInputError([&] { fitGps(two.cameras); }, {"found 2", "at least 3"});
    std::vector<GpsCamera> line;
    for (int i = 0; i < 8; ++i) line.push_back({{0.1 * i, 0.2 * i, 0}, at({2.0 * i, 0, 0.01 * (i % 2)})});
    test::expectInputError([&] { fitGps(line); }, {"on a line"});
    Ring ring(20);
    Rng rng(3);
    for (GpsCamera& camera : ring.cameras) camera.position = at({rng.uniform(-9, 9), rng.uniform(-9, 9), 0});
    test::expectInputError([&] { fitGps(ring.cameras); }, {"do not fit", "known distance"});
}

TEST(Gps, PositionsWithoutAltitudeAreAtOneHeight) {
    Ring ring(12);
    for (GpsCamera& camera : ring.cameras) camera.position.altitude.reset();
    const GpsFit fit = fitGps(ring.cameras);
    EXPECT_NEAR(fit.similarity.scale, 1 / 0.07, 0.3);
    EXPECT_EQ(fit.origin.altitude, 0.0);
    EXPECT_LT(fit.largest, 1.5) << "the waves of the ring are 1 m high";
}

TEST(Gps, AFrameSaysThatItIsInMetres) {
    const Ring ring(6);
    Model model;
    for (size_t i = 0; i < ring.cameras.size(); ++i)
        model.images.push_back({.id = static_cast<uint32_t>(i), .translation = -ring.cameras[i].centre, .name = std::to_string(i)});
    const SceneFrame frame = gpsFrame(model, [&](const ModelImage& image) { return std::optional(ring.cameras[image.id].position); });
    EXPECT_TRUE(frame.metres);
    ASSERT_TRUE(frame.gps);
    apply(frame.similarity, model);
    for (size_t i = 1; i < ring.local.size(); ++i)
        EXPECT_NEAR(glm::distance(model.images[i].position(), model.images[0].position()), glm::distance(ring.local[i], ring.local[0]),
                    1e-3);
}

}  // namespace
}  // namespace splat::prepare
