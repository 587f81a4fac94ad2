#include <splatwright/scene/synth/synth.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/scene/synth/colour_changes.h>
#include <splatwright/scene/synth/picture.h>
#include <splatwright/scene/synth/points.h>
#include <splatwright/scene/synth/region.h>
#include <splatwright/scene/synth/transients.h>
#include <splatwright/scene/synth/walk.h>
#include "scratch.h"

namespace splat {

/// GoogleTest would print the bytes.
void PrintTo(const SynthScene& scene, std::ostream* out) { *out << scene.name; }
void PrintTo(const SynthLens& lens, std::ostream* out) { *out << lens.name; }

namespace {

namespace fs = std::filesystem;
using glm::dvec3;
using glm::vec3;

size_t entriesOf(const fs::path& folder) {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

using Contents = std::map<std::string, std::string>;

Contents contentsOf(const fs::path& folder) {
    Contents contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) contents[fs::relative(entry.path(), folder).generic_string()] = readTextFile(entry.path());
    }
    return contents;
}

SynthOptions small(std::string_view scene, uint64_t seed = 7) {
    return {.scene = std::string(scene), .views = 3, .width = 32, .height = 24, .seed = seed};
}

vec3 randomPoint(Rng& rng, const synth::Sphere& around, double reach) {
    vec3 point = around.centre;
    for (int axis = 0; axis < 3; ++axis) point[axis] += static_cast<float>(rng.uniform(-reach, reach)) * around.radius;
    return point;
}

/// The pixel a world point falls on, where that is in the picture.
std::optional<glm::ivec2> project(const Camera& camera, const vec3& point) {
    const dvec3 p = camera.rotation * dvec3(point) + camera.translation;
    const double x = camera.fx * p.x / p.z + camera.cx;
    const double y = camera.fy * p.y / p.z + camera.cy;
    if (p.z <= 0 || x < 0 || y < 0 || x >= camera.width || y >= camera.height) return std::nullopt;
    return glm::ivec2(static_cast<int>(x), static_cast<int>(y));
}

class Synth : public testing::TestWithParam<SynthScene> {
protected:
    synth::Scene scene() const { return GetParam().build(7); }
    static std::vector<Camera> cameras(const synth::Scene& scene, int width = 96) {
        return synth::sceneCameras(scene, 8, width, width * 3 / 4, 7);
    }

    /// Every third pixel's first surface.
    template <class Visit>
    static void forEachHit(const synth::Scene& scene, const Visit& visit) {
        for (const Camera& camera : cameras(scene)) {
            for (int y = 0; y < camera.height; y += 3) {
                for (int x = 0; x < camera.width; x += 3) {
                    const synth::Ray ray = synth::rayThrough(camera, x, y);
                    if (const auto hit = synth::trace(scene, ray)) visit(ray, *hit);
                }
            }
        }
    }

    test::Scratch scratch_;
    const fs::path folder_ = scratch_.path();
};

INSTANTIATE_TEST_SUITE_P(Scenes, Synth, testing::ValuesIn(kSynthScenes), [](const auto& each) { return std::string(each.param.name); });

TEST_P(Synth, TheSameSeedGivesTheSameBytes) {
    writeSynthDataset(folder_ / "a", small(GetParam().name));
    writeSynthDataset(folder_ / "b", small(GetParam().name));
    const Contents contents = contentsOf(folder_ / "a");
    EXPECT_EQ(contents.size(), 3u + 3u + 1u);  // pictures, COLMAP's files, transforms.json
    EXPECT_EQ(contents, contentsOf(folder_ / "b"));
}

TEST_P(Synth, AnotherSeedChangesEveryFileWithPosesOrColours) {
    writeSynthDataset(folder_ / "a", small(GetParam().name, 1));
    writeSynthDataset(folder_ / "b", small(GetParam().name, 2));
    const Contents b = contentsOf(folder_ / "b");
    for (const auto& [name, bytes] : contentsOf(folder_ / "a")) {
        if (name == "sparse/0/cameras.bin") continue;
        EXPECT_NE(bytes, b.at(name)) << name;
    }
}

TEST_P(Synth, BothDescriptionsHoldTheSameCameras) {
    writeSynthDataset(folder_ / "set", small(GetParam().name));
    const Dataset colmap = loadDataset(folder_ / "set/sparse/0", {.images = folder_ / "set/images"});
    const Dataset transforms = loadDataset(folder_ / "set/transforms.json");
    ASSERT_EQ(colmap.views.size(), 3u);
    ASSERT_EQ(transforms.views.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
        const Camera& a = colmap.views[i].camera;
        const Camera& b = transforms.views[i].camera;
        EXPECT_TRUE(fs::equivalent(colmap.views[i].image, transforms.views[i].image));
        EXPECT_EQ(std::tie(a.width, a.height, a.fx, a.fy, a.cx, a.cy), std::tie(b.width, b.height, b.fx, b.fy, b.cx, b.cy));
        EXPECT_LT(glm::distance(a.position(), b.position()), 1e-9);
        for (int axis = 0; axis < 3; ++axis) EXPECT_LT(glm::distance(a.rotation[axis], b.rotation[axis]), 1e-9);
    }
}

TEST_P(Synth, TheDatasetHoldsThePointsOfItsScene) {
    writeSynthDataset(folder_ / "set", small(GetParam().name));
    const Dataset dataset = loadDataset(folder_ / "set");
    ASSERT_EQ(dataset.points.size(), scene().pointCount);
    const auto seen = std::ranges::count_if(dataset.points, [&](const Point& point) {
        return std::ranges::any_of(dataset.views, [&](const View& view) { return project(view.camera, point.position).has_value(); });
    });
    EXPECT_GE(static_cast<size_t>(seen), scene().pointCount * 95 / 100) << "the rest: noise across a picture's border";
}

TEST_P(Synth, PointsHaveTheColoursOfThePicturesThatSeeThem) {
    const synth::Scene scene = this->scene();
    const auto cameras = Synth::cameras(scene, 240);  // pixels are small against the textures
    const auto points = synth::surfacePoints(scene, cameras, 3);
    int seen = 0;
    int alike = 0;
    for (const Camera& camera : cameras) {
        const Image8 picture = synth::renderPicture(scene, camera);
        for (const Point& point : points) {
            const auto pixel = project(camera, point.position);
            if (!pixel) continue;
            const vec3 eye(camera.position());
            const float distance = glm::distance(eye, point.position);
            const auto hit = synth::trace(scene, {eye, (point.position - eye) / distance});
            if (!hit || std::abs(hit->t - distance) > 0.02f * scene.extent) continue;
            const auto there = picture.at(pixel->x, pixel->y);
            ++seen;
            alike += std::ranges::equal(there.first(3), point.colour, [](int a, int b) { return std::abs(a - b) <= 32; });
        }
    }
    EXPECT_GT(seen, static_cast<int>(scene.pointCount));
    EXPECT_GE(alike, seen * 8 / 10) << "the rest: borders within a pixel, highlights that moved";
}

TEST_P(Synth, DistancesNeverOverestimate) {
    Rng rng(5);
    for (const synth::Object& object : scene().objects) {
        for (int i = 0; i < 500; ++i) {
            const vec3 a = randomPoint(rng, object.shape.bound, 1.5);
            const vec3 b = randomPoint(rng, object.shape.bound, 1.5);
            const float change = std::abs(object.shape.distance(a) - object.shape.distance(b));
            EXPECT_LE(change, glm::distance(a, b) + 1e-5f);
        }
    }
}

TEST_P(Synth, BoundsHoldTheirShapes) {
    Rng rng(6);
    for (const synth::Object& object : scene().objects) {
        const synth::Sphere& bound = object.shape.bound;
        for (int i = 0; i < 500; ++i) {
            const vec3 point = randomPoint(rng, bound, 1.5);
            if (glm::distance(point, bound.centre) <= bound.radius) continue;
            EXPECT_GT(object.shape.distance(point), 0);
        }
    }
}

TEST_P(Synth, NormalsAreUnitAndFaceTheViewer) {
    const synth::Scene scene = this->scene();
    int hits = 0;
    int turnedAway = 0;
    forEachHit(scene, [&](const synth::Ray& ray, const synth::Hit& hit) {
        const vec3 normal = synth::surfaceNormal(scene, hit);
        EXPECT_NEAR(glm::length(normal), 1, 1e-5);
        ++hits;
        turnedAway += glm::dot(normal, ray.direction) > 0.1f;
    });
    EXPECT_GT(hits, 500);
    EXPECT_LE(turnedAway, hits / 200) << "only at creases, where four taps straddle two faces";
}

TEST_P(Synth, TheFirstHitIsTheFirst) {
    const synth::Scene scene = this->scene();
    forEachHit(scene, [&](const synth::Ray& ray, const synth::Hit& hit) {
        for (int i = 0; i < 49; ++i) {
            const float part = 0.01f + 0.02f * static_cast<float>(i);
            const vec3 before = ray.origin + ray.direction * (hit.t * part);
            for (const synth::Object& object : scene.objects) ASSERT_GT(object.shape.distance(before), -1e-3f);
        }
    });
}

TEST_P(Synth, PicturesShowSomething) {
    const synth::Scene scene = this->scene();
    for (const Camera& camera : cameras(scene)) {
        const Image8 picture = synth::renderPicture(scene, camera);
        double sum = 0;
        double squares = 0;
        for (const uint8_t value : picture.pixels) {
            sum += value;
            squares += static_cast<double>(value) * value;
        }
        const double count = static_cast<double>(picture.pixels.size());
        EXPECT_GT(std::sqrt(squares / count - sum * sum / (count * count)), 20);
    }
}

TEST_P(Synth, OnlyAnOpenSceneHasTransparency) {
    const synth::Scene scene = this->scene();
    const Image8 picture = synth::renderPicture(scene, cameras(scene).front());
    ASSERT_EQ(picture.channels, scene.dome ? 3 : 4);
    if (scene.dome) return;
    EXPECT_EQ(picture.at(0, 0)[3], 0);
    EXPECT_EQ(picture.at(picture.width / 2, picture.height / 2)[3], 255);
}

TEST_P(Synth, CamerasLookAtTheTargetWithUpUpwards) {
    const synth::Scene scene = this->scene();
    if (scene.walk) return;  // TEST(SynthHall, ...)
    for (const Camera& camera : cameras(scene)) {
        const auto middle = project(camera, scene.orbit.target);
        const auto above = project(camera, scene.orbit.target + 0.2f * synth::kUp);
        ASSERT_TRUE(middle && above);
        EXPECT_NEAR(middle->x, camera.width / 2.0, 1);
        EXPECT_NEAR(middle->y, camera.height / 2.0, 1);
        EXPECT_NEAR(above->x, middle->x, 1);
        EXPECT_LT(above->y, middle->y);
        EXPECT_NEAR(glm::determinant(camera.rotation), 1, 1e-12);
    }
}

TEST_P(Synth, EveryEighthViewHasNeighboursAboveAndBelow) {
    const auto cameras = synth::sceneCameras(scene(), 24, 96, 72, 7);
    for (size_t i = 0; i < cameras.size(); i += 8) {
        const double before = cameras[(i + 23) % 24].position().y;
        const double after = cameras[i + 1].position().y;
        const double here = cameras[i].position().y;
        EXPECT_TRUE(std::min(before, after) < here && here < std::max(before, after)) << i;
    }
}

/// Share of the points that a view sees: within its picture and with nothing before them.
double shareSeen(const synth::Scene& scene, const Camera& camera, const std::vector<Point>& points) {
    const vec3 eye(camera.position());
    const auto seen = std::ranges::count_if(points, [&](const Point& point) {
        if (!project(camera, point.position)) return false;
        const float distance = glm::distance(eye, point.position);
        const auto hit = synth::trace(scene, {eye, (point.position - eye) / distance});
        return hit && std::abs(hit->t - distance) < 0.05f * distance;
    });
    return static_cast<double>(seen) / static_cast<double>(points.size());
}

TEST(SynthHall, EachViewSeesLittleAndAllTogetherSeeBothWalls) {
    const synth::Scene scene = synth::buildHall(7);
    const auto cameras = synth::sceneCameras(scene, 160, 96, 72, 7);
    const auto points = synth::surfacePoints(scene, cameras, 3);
    double sum = 0;
    for (const Camera& camera : cameras) {
        const double share = shareSeen(scene, camera, points);
        EXPECT_LT(share, 0.15);
        EXPECT_GT(share, 0.01);
        sum += share / static_cast<double>(cameras.size());
    }
    EXPECT_LT(sum, 0.1);
    EXPECT_GT(sum, 0.03);
    const auto left = std::ranges::count_if(points, [](const Point& point) { return point.position.x < 0; });
    EXPECT_NEAR(static_cast<double>(left) / static_cast<double>(points.size()), 0.5, 0.05);
}

TEST(SynthHall, EveryPartOfAWallIsSeenByAtLeastThreeViews) {
    const synth::Scene scene = synth::buildHall(7);
    const auto cameras = synth::sceneCameras(scene, 160, 96, 72, 7);
    for (const float x : {-2.2f, 2.2f}) {
        for (int i = -21; i < 21; ++i) {
            const float z = 0.5f * static_cast<float>(i);
            const auto seen =
                std::ranges::count_if(cameras, [&](const Camera& camera) { return project(camera, vec3(x, -1.3f, z)).has_value(); });
            EXPECT_GE(seen, 3) << x << " " << z;
        }
    }
}

TEST(SynthHall, CamerasLookOutwardsWithUpUpwards) {
    for (const Camera& camera : synth::sceneCameras(synth::buildHall(7), 40, 96, 72, 7)) {
        const dvec3 forward = glm::transpose(camera.rotation)[2];
        EXPECT_GT(std::abs(forward.x), 0.8) << "towards a wall";
        const dvec3 down = glm::transpose(camera.rotation)[1];
        EXPECT_GT(down.y, 0.95);
        EXPECT_NEAR(glm::determinant(camera.rotation), 1, 1e-12);
    }
}

/// What a dataset of the pavilion has of its ceiling.
struct SeenCeiling {
    explicit SeenCeiling(int percent)
        : cameras(synth::sceneCameras(scene, 192, 32, 24, 7)), points(synth::surfacePoints(scene, cameras, 7)) {
        if (percent > 0) synth::addRegion(scene, percent, 7, cameras, points);
    }
    bool sees(const Camera& camera) const { return project(camera, scene.region->orbit.target).has_value(); }

    synth::Scene scene = synth::buildPavilion(7);
    std::vector<Camera> cameras;
    std::vector<Point> points;
};

TEST(SynthRegion, IsSeenByTheShareOfTheTrainingViewsAndByEverySecondTestView) {
    for (const auto& [percent, training] : {std::pair(0, 0), {1, 2}, {3, 5}, {30, 50}, {100, 168}}) {
        const SeenCeiling c(percent);
        int trained = 0, tested = 0;
        for (size_t i = 0; i < c.cameras.size(); ++i) {
            if (c.sees(c.cameras[i])) ++(i % 8 == 0 ? tested : trained);
        }
        EXPECT_EQ(trained, training) << percent;
        EXPECT_EQ(tested, percent > 0 ? 12 : 0) << percent;
    }
}

TEST(SynthRegion, HasTheSameViewpointsTestViewsAndPointsForEveryShare) {
    const SeenCeiling few(3), many(30);
    const auto positions = [](const SeenCeiling& c, bool test) {
        std::set<std::tuple<double, double, double>> all;
        for (size_t i = 0; i < c.cameras.size(); ++i) {
            const dvec3 at = c.cameras[i].position();
            if (c.sees(c.cameras[i]) && (i % 8 == 0) == test) all.emplace(at.x, at.y, at.z);
        }
        return all;
    };
    EXPECT_EQ(positions(few, false).size(), 5u);
    EXPECT_EQ(positions(few, false), positions(many, false));
    EXPECT_EQ(positions(few, true), positions(many, true));
    ASSERT_EQ(few.points.size(), few.scene.pointCount + few.scene.region->pointCount);
    EXPECT_TRUE(std::ranges::equal(few.points, many.points, [](const Point& a, const Point& b) { return a.position == b.position; }));
}

TEST(SynthRegion, LiesOutsideAllOtherViews) {
    const SeenCeiling c(0);
    for (const Camera& camera : c.cameras) {
        for (int y = 0; y < camera.height; y += 3) {
            const auto hit = synth::trace(c.scene, synth::rayThrough(camera, camera.width / 2.0, y));
            EXPECT_TRUE(!hit || hit->point.y > -2) << "the ceiling is 4.2 high";
        }
    }
}

TEST_P(Synth, AnEmptyFolderIsFilled) {
    fs::create_directories(folder_ / "set");
    writeSynthDataset(folder_ / "set/", small(GetParam().name));
    EXPECT_EQ(contentsOf(folder_ / "set").size(), 7u);
    EXPECT_EQ(entriesOf(folder_), 1u);
}

TEST(SynthColours, ChangeInAllImagesButEveryEighth) {
    const test::Scratch scratch;
    const SynthOptions plain{.scene = "object", .views = 10, .width = 24, .height = 16};
    SynthOptions changed = plain;
    changed.colourChanges = 0.5f;
    for (const auto& [name, options] : {std::pair("plain", plain), std::pair("changed", changed), std::pair("again", changed)})
        writeSynthDataset(scratch.path() / name, options);
    const Contents before = contentsOf(scratch.path() / "plain"), after = contentsOf(scratch.path() / "changed");
    EXPECT_EQ(after, contentsOf(scratch.path() / "again"));
    for (const auto& [name, bytes] : before) {
        const bool kept = !name.starts_with("images/") || name == "images/0000.png" || name == "images/0008.png";
        EXPECT_EQ(after.at(name) == bytes, kept) << name;
    }
}

TEST_P(Synth, DepthsComeBesideTheSameImages) {
    const test::Scratch scratch;
    SynthOptions options = small(GetParam().name);
    writeSynthDataset(scratch.path() / "without", options);
    options.depths = true;
    writeSynthDataset(scratch.path() / "with", options);
    Contents without = contentsOf(scratch.path() / "without"), with = contentsOf(scratch.path() / "with");
    for (int view = 0; view < options.views; ++view) EXPECT_EQ(with.count(fmt::format("depths/{:04}.png", view)), 1u);
    for (const char* changed : {"sparse/0/images.bin", "sparse/0/points3D.bin"}) {
        EXPECT_NE(with[changed], without[changed]);
        with.erase(changed);
        without.erase(changed);
    }
    for (const auto& [file, bytes] : without) EXPECT_EQ(with[file], bytes) << file;
}

TEST_P(Synth, TracksNameTheViewsThatSeeAPoint) {
    const test::Scratch scratch;
    SynthOptions options = small(GetParam().name);
    options.depths = true;
    writeSynthDataset(scratch.path() / "out", options);
    const Dataset dataset = loadDataset(scratch.path() / "out");
    const synth::Scene scene = GetParam().build(Rng(options.seed).next());
    size_t observations = 0;
    for (const View& view : dataset.views) {
        for (const uint32_t point : view.points) {
            const vec3 position = dataset.points.at(point).position;
            ASSERT_TRUE(project(view.camera, position));
            const dvec3 from = view.camera.position();
            const auto hit = synth::trace(scene, {vec3(from), vec3(glm::normalize(dvec3(position) - from))});
            ASSERT_TRUE(hit);
            EXPECT_LT(glm::distance(hit->point, position), 0.03f * scene.extent);
            ++observations;
        }
    }
    EXPECT_GT(observations, dataset.points.size() / 2);
}

class SynthLenses : public testing::TestWithParam<SynthLens> {
protected:
    SynthOptions options() const {
        SynthOptions options = small("garden");
        options.camera = GetParam().name;
        return options;
    }
    test::Scratch scratch_;
    const fs::path folder_ = scratch_.path() / "set";
};

INSTANTIATE_TEST_SUITE_P(Cameras, SynthLenses, testing::ValuesIn(kSynthLenses),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(SynthLenses, BothDescriptionsHoldTheSameLens) {
    writeSynthDataset(folder_, options());
    const Dataset colmap = loadDataset(folder_ / "sparse/0", {.images = folder_ / "images"}),
                  transforms = loadDataset(folder_ / "transforms.json");
    ASSERT_EQ(colmap.views.size(), GetParam().of == synth::panoramaLens ? 18u : 3u);
    ASSERT_EQ(colmap.views.size(), transforms.views.size());
    for (size_t i = 0; i < colmap.views.size(); ++i) {
        const Camera& a = colmap.views[i].camera;
        const Camera& b = transforms.views[i].camera;
        EXPECT_EQ(std::tie(a.width, a.height, a.fx, a.fy, a.cx, a.cy), std::tie(b.width, b.height, b.fx, b.fy, b.cx, b.cy));
        EXPECT_LT(glm::distance(a.position(), b.position()), 1e-9);
        EXPECT_EQ(colmap.views[i].distortion.parameters, transforms.views[i].distortion.parameters);
        EXPECT_EQ(colmap.views[i].distortion.face, transforms.views[i].distortion.face);
        EXPECT_EQ(colmap.views[i].distortion.any(), GetParam().of != synth::pinholeLens);
    }
}

/// Undistorted pictures show what a pinhole camera of the same pose sees: only resampling differs.
TEST_P(SynthLenses, PhotographsShowTheSceneUndistorted) {
    SynthOptions wide = options();
    wide.width = 128;
    wide.height = 96;
    writeSynthDataset(folder_, wide);
    const Dataset dataset = loadDataset(folder_);
    const synth::Scene scene = synth::buildGarden(Rng(wide.seed).next());
    for (const Photograph& p : loadPhotographs(dataset, viewsOfSplit(dataset, Split::test, 8), {})) {
        const Image8 expected = synth::renderPicture(scene, p.camera);
        ASSERT_EQ(p.covers, Coverage::none);
        double difference = 0;
        for (size_t i = 0; i < expected.pixels.size(); ++i) difference += std::abs(p.image.pixels[i] - expected.pixels[i]);
        EXPECT_LT(difference / static_cast<double>(expected.pixels.size()), GetParam().of == synth::pinholeLens ? 0.01 : 6) << p.name;
    }
}

TEST_P(SynthLenses, TracksAndDepthsAreOfWhatTheLensSees) {
    SynthOptions wanted = options();
    wanted.depths = true;
    if (GetParam().of == synth::panoramaLens) {
        test::expectInputError([&] { writeSynthDataset(folder_, wanted); }, {"depth", "panoramas"});
        return;
    }
    writeSynthDataset(folder_, wanted);
    const Dataset dataset = loadDataset(folder_);
    const synth::Scene scene = synth::buildGarden(Rng(wanted.seed).next());
    size_t tracked = 0, visible = 0, near = 0;
    for (const View& view : dataset.views) {
        const Lens lens(view.camera, view.distortion);
        const ImageF depths = synth::renderInverseDepths(scene, lens);
        tracked += view.points.size();
        for (const Point& point : dataset.points) {
            const dvec3 p = view.camera.rotation * dvec3(point.position) + view.camera.translation;
            const auto pixel = lens.pixelOf(p);
            if (!pixel || !(pixel->x >= 0 && pixel->y >= 0 && pixel->x < 32 && pixel->y < 24)) continue;
            const vec3 from(view.camera.position());
            const auto hit = synth::trace(scene, {from, glm::normalize(point.position - from)});
            if (!hit || glm::distance(hit->point, point.position) > 0.02f * scene.extent) continue;
            ++visible;
            const double depth = depths.at(static_cast<int>(pixel->x), static_cast<int>(pixel->y))[0];
            near += std::abs(depth * p.z - 1) < 0.2 ? 1u : 0u;
        }
    }
    EXPECT_NEAR(static_cast<double>(tracked), static_cast<double>(visible), 0.02 * static_cast<double>(visible));
    EXPECT_GT(visible, 1000u);
    EXPECT_GT(near, visible * 9 / 10) << "the rest: edges between a point and its pixel's centre";
}

TEST(SynthCamera, UnknownKindsAreNamedWithTheKnownOnes) {
    const test::Scratch scratch;
    test::expectInputError([&] { writeSynthDataset(scratch.path() / "a", {.camera = "cubic"}); },
                           {"'cubic'", "pinhole, fisheye, equirectangular"});
}

TEST(SynthColours, WithoutStrengthNothingChanges) {
    Image8 image(16, 16, 4);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<uint8_t>(i);
    Image8 same = image, other = image;
    synth::changeColours(same, 3, 0);
    EXPECT_EQ(same.pixels, image.pixels);
    synth::changeColours(other, 3, 1);
    for (size_t p = 3; p < other.pixels.size(); p += 4) EXPECT_EQ(other.pixels[p], image.pixels[p]);  // alpha stays
    EXPECT_NE(other.pixels, image.pixels);
}

/// How many of a dataset's images differ from those of the other.
std::vector<bool> differing(const fs::path& a, const fs::path& b, int views) {
    std::vector<bool> differ;
    for (int view = 0; view < views; ++view) {
        const std::string name = fmt::format("images/{:04}.png", view);
        differ.push_back(readTextFile(a / name) != readTextFile(b / name));
    }
    return differ;
}

TEST(SynthTransients, AreInAShareOfTheImagesButInNoEighthOne) {
    const test::Scratch scratch;
    SynthOptions options = small("object");
    options.views = 40;
    const auto write = [&](const char* name, int share) {
        options.transients = share;
        writeSynthDataset(scratch.path() / name, options);
        return scratch.path() / name;
    };
    const fs::path none = write("none", 0), some = write("some", 50), all = write("all", 100);
    const auto inSome = differing(none, some, options.views), inAll = differing(none, all, options.views);
    for (size_t view = 0; view < inAll.size(); ++view) EXPECT_EQ(inAll[view], view % 8 != 0) << view;
    const auto count = std::ranges::count(inSome, true);
    EXPECT_GT(count, 9);
    EXPECT_LT(count, 26);
    const auto between = differing(some, all, options.views);
    for (size_t view = 0; view < inAll.size(); ++view)
        EXPECT_EQ(between[view], inAll[view] && !inSome[view]) << "the share decides which views, not what they show: " << view;
    for (const char* same : {"transforms.json", "sparse/0/points3D.bin"})
        EXPECT_EQ(readTextFile(none / same), readTextFile(all / same)) << same;
}

TEST(SynthTransients, CoverAPartOfThePictureAndAreOpaque) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
        Image8 image(64, 48, 4);
        synth::addTransients(image, seed);
        size_t covered = 0;
        for (size_t pixel = 0; pixel < 64 * 48; ++pixel) {
            const uint8_t alpha = image.pixels[4 * pixel + 3];
            EXPECT_TRUE(alpha == 0 || alpha == 255);
            covered += alpha == 255 ? 1 : 0;
        }
        EXPECT_GT(covered, 15u) << "a quarter of the smallest object at least, seed " << seed;
        EXPECT_LT(covered, 64 * 48 / 3) << seed;
    }
}

TEST(SynthRefuses, AFolderThatHoldsSomethingAndLeavesItAlone) {
    const test::Scratch scratch;
    const fs::path& folder = scratch.path();
    fs::create_directories(folder / "set");
    writeFileAtomically(folder / "set/mine.txt", std::string("mine"));
    EXPECT_THROW(writeSynthDataset(folder / "set", small("garden")), InputError);
    EXPECT_THROW(writeSynthDataset(folder / "set/mine.txt", small("garden")), InputError);
    EXPECT_EQ(contentsOf(folder / "set"), (Contents{{"mine.txt", "mine"}}));
}

TEST(SynthRefuses, AnUnknownSceneAndNamesTheKnownOnes) {
    const std::string message = test::inputErrorOf([] { findSynthScene("gardens"); });
    for (const SynthScene& scene : kSynthScenes) EXPECT_NE(message.find(scene.name), std::string::npos) << message;
}

TEST(SynthRefuses, OptionsOutOfRange) {
    const test::Scratch scratch;
    const fs::path& folder = scratch.path();
    EXPECT_THROW(writeSynthDataset(folder / "set", {.views = 0}), InputError);
    EXPECT_THROW(writeSynthDataset(folder / "set", {.width = -1}), InputError);
    EXPECT_THROW(writeSynthDataset(folder / "set", {.colourChanges = 1.5f}), InputError);
    EXPECT_THROW(writeSynthDataset(folder / "set", {.transients = 101}), InputError);
    EXPECT_THROW(writeSynthDataset(folder / "set", {.height = 1'000'000}), InputError);
    EXPECT_THROW(writeSynthDataset(folder / "set", {.scene = "pavilion", .regionShare = 101}), InputError);
    const std::string message = test::inputErrorOf([&] { writeSynthDataset(folder / "set", {.scene = "hall", .regionShare = 3}); });
    EXPECT_NE(message.find("'hall', expected 0: it has no region"), std::string::npos) << message;
    EXPECT_EQ(entriesOf(folder), 0u);
}

TEST(SynthLeaves, NothingBehindWhenItFails) {
    const test::Scratch scratch;
    const fs::path& folder = scratch.path();
    const auto interrupt = [](size_t done, size_t) {
        if (done == 2) throw Error("interrupted");
    };
    EXPECT_THROW(writeSynthDataset(folder / "set", small("garden"), interrupt), Error);
    EXPECT_EQ(entriesOf(folder), 0u);
}

}  // namespace
}  // namespace splat
