#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/photographs/photographs.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

const fs::path kShared = SPLAT_SHARED_DATA;

TEST(SharedData, FoxReadsFromColmapAndIsUndistorted) {
    if (!fs::exists(kShared / "fox"))
        GTEST_SKIP() << kShared / "fox"
                     << " is not on this machine";
    const Dataset fox = loadDataset(kShared / "fox");
    ASSERT_EQ(fox.views.size(), 50u);
    EXPECT_EQ(fox.points.size(), 13178u);
    EXPECT_EQ(viewsOfSplit(fox, Split::test, 8).size(), 7u);
    EXPECT_TRUE(std::ranges::is_sorted(fox.views, {}, &View::name));
    EXPECT_DOUBLE_EQ(fox.views[0].distortion.parameters[0], 0.0578421);
    const Photograph first = loadPhotographs(fox, {0}, {.downscale = 2}).at(0);
    // A little smaller than half of 1080x1920: the border that undistortion would leave blank is cut off.
    EXPECT_NEAR(first.image.width, 540, 6);
    EXPECT_NEAR(first.image.height, 960, 15);
    EXPECT_EQ(first.camera.width, first.image.width);
}

/// Most points of the model must fall inside the pictures, in front of the camera: a transposed rotation or a flipped axis shows here.
TEST(SharedData, PointsProjectIntoThePictures) {
    for (const char* name : {"fox", "snowmiku"}) {
        if (!fs::exists(kShared / name)) GTEST_SKIP() << kShared / name << " is not on this machine";
        const Dataset dataset = loadDataset(kShared / name);
        double inside = 0;
        for (const View& view : dataset.views) {
            for (const Point& point : dataset.points) {
                const glm::dvec3 p = view.camera.rotation * glm::dvec3(point.position) + view.camera.translation;
                const double x = view.camera.fx * p.x / p.z + view.camera.cx, y = view.camera.fy * p.y / p.z + view.camera.cy;
                inside += p.z > 0 && x >= 0 && y >= 0 && x <= view.camera.width && y <= view.camera.height;
            }
        }
        const double share = inside / static_cast<double>(dataset.views.size() * dataset.points.size());
        RecordProperty(name, std::to_string(share));
        EXPECT_GT(share, 0.4) << name;
    }
}

TEST(SharedData, LegoSplitsAsItsFilesSay) {
    if (!fs::exists(kShared / "lego"))
        GTEST_SKIP() << kShared / "lego"
                     << " is not on this machine";
    const Dataset lego = loadDataset(kShared / "lego");
    EXPECT_EQ(viewsOfSplit(lego, Split::train, 8).size(), 100u);
    EXPECT_EQ(viewsOfSplit(lego, Split::test, 8).size(), 25u);
    const auto train = viewsOfSplit(lego, Split::train, 8);
    const Photograph white = loadPhotographs(lego, {train[0]}, {.background = {1, 1, 1}}).at(0);
    EXPECT_EQ(white.image.width, 400);
    EXPECT_EQ(white.image.pixels[0], 255);
    EXPECT_NEAR(white.camera.fx, 200 / std::tan(0.5 * 0.6911112070083618), 1e-9);
    // Every camera looks at the model, which stands around the origin.
    for (const View& view : lego.views) {
        const glm::dvec3 centre = view.camera.translation;
        EXPECT_GT(centre.z, 3);
        EXPECT_LT(std::hypot(centre.x, centre.y), 0.5 * centre.z);
    }
}

/// Fox comes with both descriptions of the same cameras; transforms.json has its world turned and moved. Its list also names 17
/// photographs that are not in the folder, so a copy without them is read.
TEST(SharedData, FoxsTwoDescriptionsHaveTheSameRelativePoses) {
    if (!fs::exists(kShared / "fox"))
        GTEST_SKIP() << kShared / "fox"
                     << " is not on this machine";
    const fs::path fox = fs::canonical(kShared / "fox");
    nlohmann::json content = nlohmann::json::parse(readTextFile(fox / "transforms.json"));
    auto& frames = content["frames"];
    std::erase_if(frames.get_ref<nlohmann::json::array_t&>(), [&](const auto& frame) { return !fs::exists(fox / frame["file_path"]); });
    const Scratch scratch;
    scratch.write("transforms.json", content.dump());
    fs::create_directory_symlink(fox / "images", scratch.path() / "images");
    const Dataset colmap = loadDataset(fox), transforms = loadDataset(scratch.path());
    ASSERT_EQ(colmap.views.size(), transforms.views.size());
    const auto relative = [](const Dataset& dataset, size_t i) {
        return dataset.views[i].camera.rotation * glm::transpose(dataset.views[0].camera.rotation);
    };
    const auto distance = [](const Dataset& dataset, size_t i) {
        return glm::distance(dataset.views[i].camera.position(), dataset.views[0].camera.position());
    };
    const double scale = distance(transforms, 49) / distance(colmap, 49);
    for (size_t i = 0; i < colmap.views.size(); ++i) {
        EXPECT_EQ(colmap.views[i].name, transforms.views[i].name);
        EXPECT_EQ(colmap.views[i].camera.fx, transforms.views[i].camera.fx);
        EXPECT_EQ(colmap.views[i].camera.cy, transforms.views[i].camera.cy);
        EXPECT_EQ(colmap.views[i].distortion, transforms.views[i].distortion);
        const glm::dmat3 difference = relative(colmap, i) * glm::transpose(relative(transforms, i));
        const double cosine = 0.5 * (difference[0][0] + difference[1][1] + difference[2][2] - 1);
        // The files' digits differ by up to 0.05 degrees in rotation and 2e-5 in distance.
        EXPECT_LT(std::acos(std::clamp(cosine, -1.0, 1.0)), 0.002) << colmap.views[i].name;
        EXPECT_NEAR(distance(transforms, i), scale * distance(colmap, i), 1e-4 * distance(transforms, 49)) << colmap.views[i].name;
    }
    EXPECT_EQ(inputErrorOf([&] { loadDataset(fox / "transforms.json"); }).find("17 of the 67") != std::string::npos, true);
}

}  // namespace
}  // namespace splat
