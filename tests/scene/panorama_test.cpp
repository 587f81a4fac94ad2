#include <splatwright/scene/datasets/panorama.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/scene/photographs/undistort.h>
#include "encoders.h"
#include "lens_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
using glm::dvec3;
namespace fs = std::filesystem;

constexpr int kWidth = 256, kHeight = 128, kSide = 81;  // 256 / pi

const Distortion kPanorama = distortionOf(*findLensModel("EQUIRECTANGULAR"), {});

Distortion faceOf(CubeFace face) {
    Distortion distortion = kPanorama;
    distortion.face = face;
    return distortion;
}

/// A panorama whose colours are the directions in its own frame.
Image8 directions() {
    const Lens lens(panoramaCamera(kWidth, kHeight), kPanorama);
    Image8 image(kWidth, kHeight, 3);
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            const dvec3 ray = lens.rayOf({x + 0.5, y + 0.5}).value();
            for (int i = 0; i < 3; ++i) image.at(x, y)[static_cast<size_t>(i)] = static_cast<uint8_t>(std::lround(127.5 + 127.5 * ray[i]));
        }
    }
    return image;
}

/// A dataset of panoramas 0.png, 1.png and so on, turned about x and y, as COLMAP writes them.
class PanoramaFolder {
public:
    explicit PanoramaFolder(int count = 1) {
        scratch_.write("sparse/cameras.txt", "1 EQUIRECTANGULAR 256 128 256 128\n");
        std::string images;
        for (int i = 0; i < count; ++i) {
            images += fmt::format("{} 0.7 {} 0.5 0 1 2 3 1 {}.png\n\n", i + 1, 0.1 * i, i);
            fs::create_directories(path() / "images");
            writePng(path() / fmt::format("images/{}.png", i), directions());
        }
        scratch_.write("sparse/images.txt", images);
    }
    const fs::path& path() const { return scratch_.path(); }
    const Scratch& scratch() const { return scratch_; }
    Dataset load() const { return loadDataset(path()); }

private:
    Scratch scratch_;
};

TEST(Panorama, FacesSeeEveryDirectionOnce) {
    Camera posed = panoramaCamera(kWidth, kHeight);
    posed.rotation = glm::dmat3(0, 0, 1, 1, 0, 0, 0, 1, 0);
    for (int i = 0; i < 2000; ++i) {
        const dvec3 ray(std::sin(i * 1.1), std::cos(i * 0.7 + 0.3), std::sin(i * 0.37 + 1));
        int seen = 0;
        for (size_t face = 0; face < kCubeFaces.size(); ++face) {
            const Camera camera = undistortedCamera(posed, faceOf(static_cast<CubeFace>(face)));
            const dvec3 p = camera.rotation * ray;
            seen += p.z > 0 && std::abs(p.x) < p.z && std::abs(p.y) < p.z ? 1 : 0;
        }
        EXPECT_EQ(seen, 1);
    }
}

TEST(Panorama, FacesStandWhereItStandsAndLookAsTheirNamesSay) {
    const std::array<dvec3, 6> forward{{{0, 0, 1}, {1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}}};
    const std::array<dvec3, 6> right{{{1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}}};
    Camera posed = panoramaCamera(kWidth, kHeight);
    posed.rotation = glm::dmat3(0, 0, 1, 1, 0, 0, 0, 1, 0);
    posed.translation = {1, 2, 3};
    for (size_t face = 0; face < forward.size(); ++face) {
        const Camera camera = undistortedCamera(posed, faceOf(static_cast<CubeFace>(face)));
        EXPECT_EQ(camera.position(), posed.position());
        EXPECT_EQ(camera.rotation * glm::transpose(posed.rotation) * forward[face], dvec3(0, 0, 1)) << kCubeFaces.at(face);
        EXPECT_EQ(camera.rotation * glm::transpose(posed.rotation) * right[face], dvec3(1, 0, 0)) << kCubeFaces.at(face);
        EXPECT_EQ(glm::determinant(camera.rotation), 1);
        EXPECT_EQ(camera.width, kSide);
        EXPECT_EQ(camera.height, kSide);
        EXPECT_DOUBLE_EQ(2 * std::atan(0.5 * camera.width / camera.fx), std::numbers::pi / 2);
        EXPECT_DOUBLE_EQ(camera.cx, 0.5 * kSide);
    }
    // The middle of a face has the panorama's angle per pixel.
    EXPECT_NEAR(undistortedCamera(panoramaCamera(6283, 3142), kPanorama).fx, 1000, 0.3);
}

TEST(Panorama, EveryPixelOfAFaceTakesThePanoramasRay) {
    Camera posed = panoramaCamera(kWidth, kHeight);
    posed.rotation = glm::dmat3(0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6);
    const Lens lens(posed, kPanorama);
    for (size_t face = 0; face < kCubeFaces.size(); ++face) {
        const Camera camera = undistortedCamera(posed, faceOf(static_cast<CubeFace>(face)));
        const Source source(posed, faceOf(static_cast<CubeFace>(face)), camera);
        EXPECT_TRUE(source.seesAll());
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) {
                const dvec3 ray = glm::transpose(camera.rotation) * Lens(camera).rayOf({x + 0.5, y + 0.5}).value();
                const dvec3 found = glm::transpose(posed.rotation) * lens.rayOf(source.of(x, y).at).value();
                ASSERT_LT(glm::distance(ray, found), 1e-9) << kCubeFaces.at(face) << " " << x << " " << y;
            }
        }
    }
}

TEST(Panorama, BecomesSixPhotographsOfWhatItShows) {
    const PanoramaFolder folder;
    const Dataset dataset = folder.load();
    ASSERT_EQ(dataset.views.size(), 6u);
    const auto photographs = loadPhotographs(dataset, viewsOfSplit(dataset, Split::all, 8), {.keepAlpha = true});
    const glm::dmat3 panorama = dataset.views[0].camera.rotation;
    for (size_t i = 0; i < 6; ++i) {
        const Photograph& p = photographs[i];
        EXPECT_EQ(p.name, fmt::format("0.png/{}", kCubeFaces.at(i)));
        EXPECT_EQ(p.covers, Coverage::none);
        ASSERT_EQ(p.image.width, kSide);
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) {
                const dvec3 inFace((x + 0.5 - p.camera.cx) / p.camera.fx, (y + 0.5 - p.camera.cy) / p.camera.fy, 1);
                const dvec3 ray = panorama * glm::transpose(p.camera.rotation) * glm::normalize(inFace);
                for (int c = 0; c < 3; ++c)  // a pixel of the panorama is 3 of 255 steps wide; its poles are one row of pixels
                    ASSERT_NEAR(p.image.at(x, y)[static_cast<size_t>(c)], 127.5 + 127.5 * ray[c], 2.2) << i << " " << x << " " << y;
            }
        }
    }
}

TEST(Panorama, IsTrainedOnOrTestedAsAWhole) {
    const Dataset dataset = PanoramaFolder(5).load();
    ASSERT_EQ(dataset.views.size(), 30u);
    const auto numbers = [&](Split split, int testEvery) {
        std::vector<std::string> files;
        for (const size_t view : viewsOfSplit(dataset, split, testEvery)) files.push_back(dataset.views[view].file);
        return files;
    };
    const auto sixEach = [](const std::vector<std::string>& files) {
        std::vector<std::string> all;
        for (const std::string& file : files) all.insert(all.end(), 6, file);
        return all;
    };
    EXPECT_EQ(numbers(Split::test, 4), sixEach({"0.png", "4.png"}));
    EXPECT_EQ(numbers(Split::train, 4), sixEach({"1.png", "2.png", "3.png"}));
    EXPECT_EQ(numbers(Split::train, 0).size(), 30u);
}

TEST(Panorama, OfNerfstudioIsTheSame) {
    const PanoramaFolder folder;
    const Dataset colmap = folder.load();
    const glm::dmat3 axes = glm::transpose(colmap.views[0].camera.rotation);
    const dvec3 position = colmap.views[0].camera.position();
    nlohmann::json matrix = nlohmann::json::array();
    for (int row = 0; row < 3; ++row) matrix.push_back({axes[0][row], -axes[1][row], -axes[2][row], position[row]});
    nlohmann::json content{{"camera_model", "EQUIRECTANGULAR"},
                           {"w", kWidth},
                           {"h", kHeight},
                           {"train_filenames", {"images/0.png"}},
                           {"frames", {{{"file_path", "images/0.png"}, {"transform_matrix", matrix}}}}};
    for (const bool focal : {false, true}) {  // as nerfstudio's converters of Metashape's spheres write it
        if (focal) content.update({{"fl_x", 0.5 * kWidth}, {"fl_y", kHeight}, {"cx", 0.5 * kWidth}, {"cy", 0.5 * kHeight}});
        folder.scratch().write("transforms.json", content.dump());
        const Dataset dataset = loadDataset(folder.path() / "transforms.json");
        ASSERT_EQ(dataset.views.size(), 6u);
        EXPECT_EQ(dataset.ownUses, std::vector<ViewUse>(6, kTrainUse));
        for (size_t i = 0; i < 6; ++i) {
            EXPECT_EQ(dataset.views[i].name, colmap.views[i].name);
            const Camera a = undistortedCamera(dataset.views[i].camera, dataset.views[i].distortion);
            const Camera b = undistortedCamera(colmap.views[i].camera, colmap.views[i].distortion);
            for (int axis = 0; axis < 3; ++axis) EXPECT_LT(glm::distance(a.rotation[axis], b.rotation[axis]), 1e-12);
            EXPECT_LT(glm::distance(a.position(), b.position()), 1e-12);
        }
    }
}

TEST(Panorama, MasksAreDividedLikeIt) {
    const PanoramaFolder folder;
    Image8 mask(kWidth, kHeight, 3);  // the right half counts: all that is right of the axis
    for (int y = 0; y < kHeight; ++y)
        for (int x = kWidth / 2; x < kWidth; ++x) std::ranges::fill(mask.at(x, y), uint8_t{255});
    fs::create_directories(folder.path() / "masks");
    writePng(folder.path() / "masks/0.png.png", mask);
    const Dataset dataset = folder.load();
    const auto photographs = loadPhotographs(dataset, viewsOfSplit(dataset, Split::all, 8), {});
    const auto expect = [&](size_t face, uint8_t left, uint8_t right) {
        const Photograph& p = photographs[face];
        ASSERT_EQ(p.covers, Coverage::mask);
        for (int y = 5; y < kSide - 5; ++y) {
            EXPECT_EQ(p.coverage.at(10, y)[0], left) << kCubeFaces.at(face);
            EXPECT_EQ(p.coverage.at(kSide - 10, y)[0], right) << kCubeFaces.at(face);
        }
    };
    expect(0, 0, 255);
    expect(1, 255, 255);
    expect(2, 255, 0);
    expect(3, 0, 0);
}

TEST(Panorama, DepthMapsAreRefused) {
    const PanoramaFolder folder;
    fs::create_directories(folder.path() / "depths");
    writeGrey16(folder.path() / "depths/0.png", Image16(kWidth, kHeight, 1));
    const Dataset dataset = folder.load();
    EXPECT_EQ(loadPhotographs(dataset, {0}, {}).size(), 1u);
    expectInputError([&] { loadPhotographs(dataset, {0}, {.depths = true}); }, {"depths/0.png", "panorama", "points"});
}

}  // namespace
}  // namespace splat
