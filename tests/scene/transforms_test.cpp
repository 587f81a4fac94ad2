#include <cmath>

#include <nlohmann/json.hpp>

#include <splatwright/scene/cameras/lens.h>
#include <splatwright/scene/datasets/dataset.h>
#include "encoders.h"
#include "lens_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
using nlohmann::json;
namespace fs = std::filesystem;

/// Stands at (1, 2, 3) and looks along the world's -z, as an OpenGL camera without rotation does.
const json kStanding = {{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}, {0, 0, 0, 1}};

json frame(const std::string& path, const json& matrix = kStanding) { return {{"file_path", path}, {"transform_matrix", matrix}}; }

json nerfstudio() {
    return {{"camera_model", "OPENCV"},
            {"fl_x", 7.0},
            {"fl_y", 7.5},
            {"cx", 4.25},
            {"cy", 3.5},
            {"w", 8},
            {"h", 6},
            {"k1", 0.1},
            {"k2", 0.2},
            {"p1", 0.3},
            {"p2", 0.4},
            {"frames", {frame("images/b.png"), frame("images/a.png")}}};
}

class TransformsFolder {
public:
    TransformsFolder() {
        for (const char* name : {"images/a.png", "images/b.png"}) picture(name);
    }
    void picture(const std::string& name, int width = 8, int height = 6) const {
        scratch_.write(name, encodeWebp(testImage(width, height, 3)));
    }
    void write(const json& content, const std::string& name = "transforms.json") const { scratch_.write(name, content.dump()); }
    const Scratch& scratch() const { return scratch_; }
    Dataset load(const DatasetOptions& options = {}) const { return loadDataset(scratch_.path(), options); }
    Dataset loadContent(const json& content) const {
        write(content);
        return load();
    }

private:
    Scratch scratch_;
};

TEST(Transforms, ReadsNerfstudiosSharedIntrinsics) {
    const TransformsFolder folder;
    const Dataset dataset = folder.loadContent(nerfstudio());
    ASSERT_EQ(dataset.views.size(), 2u);
    const View& view = dataset.views[0];
    EXPECT_EQ(view.name, "a.png");
    EXPECT_TRUE(fs::equivalent(view.image, folder.scratch().path() / "images" / "a.png"));
    EXPECT_EQ(view.camera.fx, 7);
    EXPECT_EQ(view.camera.fy, 7.5);
    EXPECT_EQ(view.camera.cx, 4.25);
    EXPECT_EQ(view.camera.cy, 3.5);
    EXPECT_EQ(view.distortion, opencv({0.1, 0.2, 0.3, 0.4}));
    EXPECT_TRUE(dataset.ownUses.empty());
    EXPECT_EQ(loadDataset(folder.scratch().path() / "transforms.json").views.size(), 2u);
}

TEST(Transforms, AFramesOwnIntrinsicsGoFirst) {
    const TransformsFolder folder;
    json content = nerfstudio();
    content["frames"][1]["fl_x"] = 9;
    content["frames"][1]["k1"] = 0;
    const Dataset dataset = folder.loadContent(content);
    EXPECT_EQ(dataset.views[0].camera.fx, 9);
    EXPECT_EQ(dataset.views[0].camera.fy, 7.5);
    EXPECT_EQ(dataset.views[0].distortion.parameters[0], 0);
    EXPECT_EQ(dataset.views[1].camera.fx, 7);
}

/// The distortion of a file with these properties instead of k1 to p2.
Distortion distortionWith(const json& properties) {
    const TransformsFolder folder;
    json content = nerfstudio();
    for (const char* name : {"k1", "k2", "p1", "p2"}) content.erase(name);
    content.update(properties);
    return folder.loadContent(content).views[0].distortion;
}

TEST(Transforms, ReadsTheDistortionOfEachOfNerfstudiosModels) {
    const auto model = [](const char* name, const std::vector<double>& k) { return distortionOf(*findLensModel(name), k); };
    for (const char* perspective : {"SIMPLE_PINHOLE", "PINHOLE", "SIMPLE_RADIAL", "RADIAL", "OPENCV"}) {
        const json name{{"camera_model", perspective}};
        const auto with = [&](json properties) { return distortionWith((properties.update(name), properties)); };
        EXPECT_EQ(with({{"k1", 0.1}, {"p2", 0.4}}), opencv({0.1, 0, 0, 0.4}));
        EXPECT_EQ(with({{"k1", 0.1}, {"k3", 0.3}, {"k4", 0}}), model("FULL_OPENCV", {0.1, 0, 0, 0, 0.3}));
        EXPECT_EQ(with({{"k2", 0.2}, {"p1", 0.5}, {"k3", 0.3}, {"k4", 0.4}}), distortionOf(kPolynomialLens, {0, 0.2, 0.5, 0, 0.3, 0.4}));
        EXPECT_EQ(with({{"k4", 0.4}, {"k6", 0.6}}), model("FULL_OPENCV", {0, 0, 0, 0, 0, 0.4, 0, 0.6}));
        EXPECT_EQ(with({{"distortion_params", {0.1, 0.2, 0, 0, 0.3, 0.4}}}), opencv({0.1, 0.2, 0.3, 0.4}));
    }
    const json k{{"k1", 0.1}, {"k2", 0.2}, {"k3", 0.3}, {"k4", 0.4}};
    const auto with = [&](json more) { return distortionWith((more.update(k), more)); };
    EXPECT_EQ(with({{"camera_model", "OPENCV_FISHEYE"}}), model("OPENCV_FISHEYE", {0.1, 0.2, 0.3, 0.4}));
    EXPECT_EQ(with({{"is_fisheye", true}}), model("OPENCV_FISHEYE", {0.1, 0.2, 0.3, 0.4}));
    EXPECT_EQ(with({{"camera_model", "OPENCV_FISHEYE"}, {"p1", 0.5}}), model("THIN_PRISM_FISHEYE", {0.1, 0.2, 0.5, 0, 0.3, 0.4}));
    EXPECT_EQ(with({{"camera_model", "FULL_OPENCV"}}), model("FULL_OPENCV", {0.1, 0.2, 0, 0, 0.3, 0.4}));
    EXPECT_EQ(distortionWith({{"camera_model", "FOV"}, {"omega", 0.9}}), model("FOV", {0.9}));
    EXPECT_EQ(distortionWith({{"camera_model", "FISHEYE624"}, {"distortion_params", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}}),
              model("RAD_TAN_THIN_PRISM_FISHEYE", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(Transforms, ReadsTheCircleOfAFisheye) {
    const json fisheye{{"camera_model", "OPENCV_FISHEYE"}, {"fisheye_crop_radius", 2}};
    EXPECT_EQ(distortionWith(fisheye).circle, 0.25);  // of 8 pixels
    EXPECT_EQ(distortionWith({{"camera_model", "OPENCV"}, {"fisheye_crop_radius", 2}}).circle, 0);
}

/// nerfstudio's radial_and_tangential_undistort() solves x (1 + k1 r^2 + k2 r^4 + k3 r^6 + k4 r^8) + ... = x_d, then bends a fisheye's ray.
TEST(Transforms, DistortsAsNerfstudioDoes) {
    const Camera camera{.width = 8, .height = 6, .fx = 7, .fy = 7, .cx = 4, .cy = 3};
    const double k1 = 0.1, k2 = -0.05, k3 = 0.02, k4 = -0.01, p1 = 0.003, p2 = -0.002;
    const json all{{"k1", k1}, {"k2", k2}, {"k3", k3}, {"k4", k4}, {"p1", p1}, {"p2", p2}};
    for (const char* name : {"OPENCV", "OPENCV_FISHEYE"}) {
        json properties = all;
        properties["camera_model"] = name;
        const double x = 0.3, y = -0.2, r = x * x + y * y, d = 1 + r * (k1 + r * (k2 + r * (k3 + r * k4)));
        const glm::dvec2 distorted(x * d + 2 * p1 * x * y + p2 * (r + 2 * x * x), y * d + 2 * p2 * x * y + p1 * (r + 2 * y * y));
        const double theta = std::sqrt(r);
        const glm::dvec3 bent(x * std::sin(theta) / theta, y * std::sin(theta) / theta, std::cos(theta));
        const glm::dvec3 ray = name == std::string("OPENCV") ? glm::dvec3(x, y, 1) : bent;
        const glm::dvec2 pixel = Lens(camera, distortionWith(properties)).pixelOf(ray).value();
        EXPECT_NEAR(pixel.x, 7 * distorted.x + 4, 1e-12) << name;
        EXPECT_NEAR(pixel.y, 7 * distorted.y + 3, 1e-12) << name;
    }
}

TEST(Transforms, ConvertsOpenGlPosesToColmaps) {
    const TransformsFolder folder;
    const Camera camera = folder.loadContent(nerfstudio()).views[0].camera;
    const auto seen = [&](glm::dvec3 p) { return camera.rotation * p + camera.translation; };
    EXPECT_EQ(camera.position(), glm::dvec3(1, 2, 3));
    EXPECT_EQ(seen({1, 2, 1}), glm::dvec3(0, 0, 2));   // in front: OpenGL looks along -z
    EXPECT_EQ(seen({1, 5, 3}), glm::dvec3(0, -3, 0));  // up in the world is up in the picture, where y counts down
    EXPECT_EQ(seen({4, 2, 3}), glm::dvec3(3, 0, 0));
}

TEST(Transforms, TurnsRoundedAndScaledMatricesIntoRotations) {
    const TransformsFolder folder;
    const double c = 0.8 * 2, s = 0.6 * 2;
    json content = nerfstudio();
    content["frames"] = {frame("images/a.png", {{c + 1e-6, -s, 0, 1}, {s, c, 0, 2}, {0, 0, 2, 3}})};
    const Camera camera = folder.loadContent(content).views[0].camera;
    const glm::dmat3 product = camera.rotation * glm::transpose(camera.rotation);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(product[i][j], i == j ? 1 : 0, 1e-14);
    }
    EXPECT_NEAR(camera.rotation[0][0], 0.8, 1e-6);
    EXPECT_NEAR(glm::length(camera.position() - glm::dvec3(1, 2, 3)), 0, 1e-14);
}

TEST(Transforms, ReadsBlendersAngleAndItsTestViews) {
    const TransformsFolder folder;
    const auto file = [](const std::string& path) { return json{{"camera_angle_x", 0.8}, {"frames", {frame(path)}}}; };
    folder.write(file("./train/r_0"), "transforms_train.json");
    folder.write(file("./test/r_0"), "transforms_test.json");
    folder.write(file("./val/r_0"), "transforms_val.json");
    for (const char* name : {"train/r_0.png", "test/r_0.png", "val/r_0.png"}) folder.picture(name, 20, 10);
    const Dataset dataset = folder.load();
    ASSERT_EQ(dataset.views.size(), 2u);  // validation views stand aside
    EXPECT_EQ(dataset.views[0].name, "test/r_0");
    EXPECT_EQ(dataset.views[1].name, "train/r_0");
    EXPECT_EQ(dataset.ownUses, (std::vector<ViewUse>{kTestUse, kTrainUse}));
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 8), std::vector<size_t>{1});
    EXPECT_EQ(viewsOfSplit(dataset, Split::test, 8), std::vector<size_t>{0});
    const Camera& camera = dataset.views[0].camera;
    EXPECT_EQ(camera.width, 20);  // from the image's header
    EXPECT_EQ(camera.height, 10);
    EXPECT_DOUBLE_EQ(camera.fx, 10 / std::tan(0.4));
    EXPECT_EQ(camera.fy, camera.fx);
    EXPECT_EQ(camera.cx, 10);
    EXPECT_EQ(camera.cy, 5);
    fs::remove(folder.scratch().path() / "transforms_test.json");
    EXPECT_EQ(folder.load().views[1].name, "val/r_0");
    EXPECT_EQ(folder.load().ownUses, (std::vector<ViewUse>{kTrainUse, kTestUse}));
}

TEST(Transforms, ReadsInstantNgpsMixtures) {
    const TransformsFolder folder;
    folder.picture("images/0.png");
    json content = {{"camera_angle_x", 0.8},
                    {"camera_angle_y", 0.6},
                    {"w", 8.0},
                    {"h", 6.0},
                    {"aabb_scale", 4},
                    {"k1", 0.05},
                    {"frames", {frame("./images\\a.png"), frame("images/0")}}};
    content["frames"][0]["sharpness"] = 31.7;
    Dataset dataset = folder.loadContent(content);
    EXPECT_EQ(dataset.views[0].name, "0");
    EXPECT_EQ(dataset.views[0].image.filename(), "0.png");
    EXPECT_EQ(dataset.views[1].name, "a.png");
    EXPECT_DOUBLE_EQ(dataset.views[0].camera.fx, 4 / std::tan(0.4));
    EXPECT_DOUBLE_EQ(dataset.views[0].camera.fy, 3 / std::tan(0.3));
    EXPECT_EQ(dataset.views[0].distortion, opencv({0.05}));
    content["fl_x"] = 11;  // pixels go before the angle
    EXPECT_EQ(folder.loadContent(content).views[0].camera.fx, 11);
}

TEST(Transforms, ReadsThePointsThatNerfstudioNames) {
    const TransformsFolder folder;
    json content = nerfstudio();
    content["ply_file_path"] = "sparse_pc.ply";
    folder.scratch().write(
        "sparse_pc.ply",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty uint8 red\n"
        "property uint8 green\nproperty uint8 blue\nend_header\n1 2 3 4 5 6\n");
    const Dataset dataset = folder.loadContent(content);
    ASSERT_EQ(dataset.points.size(), 1u);
    EXPECT_EQ(dataset.points[0].position, glm::vec3(1, 2, 3));
    EXPECT_EQ(dataset.points[0].colour, (std::array<uint8_t, 3>{4, 5, 6}));
    content["ply_file_path"] = "none.ply";
    expectInputError([&] { folder.loadContent(content); }, {"none.ply", "cannot be read"});
}

TEST(Transforms, OtherImageFolderReplacesTheFirstFolder) {
    const TransformsFolder folder;
    for (const char* name : {"images_2/a.jpg", "images_2/b.png"}) folder.picture(name, 4, 3);
    folder.write(nerfstudio());
    const Dataset dataset = folder.load({.images = "images_2"});
    EXPECT_EQ(dataset.views[0].name, "a.png");
    EXPECT_EQ(dataset.views[0].image, folder.scratch().path() / "images_2" / "a.jpg");
    EXPECT_EQ(dataset.views[1].image, folder.scratch().path() / "images_2" / "b.png");
    json flat = nerfstudio();
    flat["frames"] = {frame("a.png")};
    folder.write(flat);
    EXPECT_EQ(folder.load({.images = "images_2"}).views[0].image, folder.scratch().path() / "images_2" / "a.jpg");
    expectInputError([&] { folder.load({.images = "images_4"}); }, {"images_4", "a.png", "missing"});
}

TEST(Transforms, WhatIsWrongIsNamedWithItsFrame) {
    const TransformsFolder folder;
    const auto broken = [&](const auto& change) {
        json content = nerfstudio();
        change(content);
        folder.write(content);
        return [&] { folder.load(); };
    };
    using List = std::vector<std::string>;
    const auto expect = [&](const auto& change, const List& parts) { expectInputError(broken(change), parts); };
    expect([](json& c) { c["camera_model"] = "VR180_L"; }, {"frame 0", "images/b.png", "VR180_L", "SIMPLE_RADIAL", "ns-render"});
    expect([](json& c) { c["is_ftheta"] = true; }, {"is_ftheta is true", "camera_model"});
    expect([](json& c) { c["k3"] = 1e7; }, {"frame 0", "distortion k3 is 1"});
    expect([](json& c) { c["k5"] = "x"; }, {"frame 0", "k5 is \"x\"", "number"});
    expect([](json& c) { c["distortion_params"] = {1, 2, 3}; }, {"frame 0", "distortion_params is [1,2,3]", "6 or 12 numbers"});
    expect([](json& c) { c["distortion_params"] = {1, 2, 3, 4, 5, "x"}; }, {"distortion_params is [1,2,3,4,5,\"x\"]"});
    expect([](json& c) { c["camera_model"] = "EQUIRECTANGULAR"; }, {"frame 0", "fl_x is 7", "expected 4", "whole panorama of 8x6"});
    expect([](json& c) { c["camera_model"] = "OPENCV_FISHEYE", c["fisheye_crop_radius"] = -1; }, {"fisheye_crop_radius is -1"});
    expect([](json& c) { c["frames"][1]["fl_x"] = "wide"; }, {"frame 1", "images/a.png", "fl_x is \"wide\"", "number"});
    expect([](json& c) { c["fl_x"] = -3; }, {"frame 0", "focal length fx is -3"});
    expect([](json& c) { c["w"] = 0; }, {"w and h are 0 and 6"});
    expect([](json& c) { c.erase("fl_x"), c.erase("fl_y"); }, {"fl_x and camera_angle_x are missing"});
    expect([](json& c) { c["frames"][0].erase("transform_matrix"); }, {"frame 0", "transform_matrix is missing"});
    expect([](json& c) { c["frames"][0]["transform_matrix"][1] = {1, 2}; }, {"frame 0", "[1,2]"});
    expect([](json& c) { c["frames"][0]["transform_matrix"][2][2] = -1; }, {"frame 0", "determinant of -1"});
    expect([](json& c) { c["frames"][0]["transform_matrix"][2][2] = 3; }, {"frame 0", "non-uniform scale"});
    expect([](json& c) { c["frames"][0].erase("file_path"); }, {"frame 0", "file_path is missing"});
    expect([](json& c) { c["frames"][0]["file_path"] = "images/.."; }, {"frame 0", "file_path is 'images/..'"});
    expect([](json& c) { c["frames"][0]["file_path"] = "images/a.png"; }, {"'a.png'", "twice"});
    expect([](json& c) { c["frames"] = json::array(); }, {"no views"});
    expect([](json& c) { c.erase("frames"); }, {"transforms.json", "frames is missing"});
    expect([](json& c) { c["frames"][0] = 3; }, {"frame 0 is 3"});
    expect([](json& c) { c = {1, 2}; }, {"transforms.json", "[1,2]"});
}

TEST(Transforms, PythonsNanIsNamedWhereItMatters) {
    const TransformsFolder folder;
    std::string text = nerfstudio().dump();
    const auto with = [&](const std::string& old, const std::string& replacement) {
        std::string changed = text;
        changed.replace(changed.find(old), old.size(), replacement);
        folder.scratch().write("transforms.json", changed);
    };
    with("[0,1,0,2]", "[0,NaN,0,-Infinity]");
    expectInputError([&] { folder.load(); }, {"transforms.json", "images/b.png", "transform_matrix is null", "finite"});
    with("\"cx\":4.25", "\"cx\":Infinity");
    expectInputError([&] { folder.load(); }, {"cx is null", "finite"});
    with("\"cx\":4.25", "\"cx\":4.25,\"sharpness\":NaN,\"note\":\"NaN \\\" NaN\"");
    EXPECT_EQ(folder.load().views.size(), 2u);
    with("\"cx\":4.25", "\"cx\":1e999");
    expectInputError([&] { folder.load(); }, {"transforms.json"});
}

TEST(Transforms, EveryPrefixIsRefused) {
    const TransformsFolder folder;
    expectEveryPrefixToFail(folder.scratch(), "transforms.json", nerfstudio().dump(), [&](const fs::path&) { folder.load(); });
}

}  // namespace
}  // namespace splat
