#include <array>
#include <cmath>

#include <fmt/ranges.h>

#include <splatwright/scene/datasets/dataset.h>
#include "encoders.h"
#include "lens_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

struct TestCamera {
    uint32_t id = 1;
    int32_t model = 1;
    uint64_t width = 8, height = 6;
    std::vector<double> parameters{7, 7.5, 4.25, 3.5};
};

struct TestImage {
    std::string name = "a.png";
    std::array<double, 4> rotation{1, 0, 0, 0};
    std::array<double, 3> translation{0, 0, 0};
    uint32_t camera = 1;
};

std::string camerasBin(const std::vector<TestCamera>& cameras) {
    Bytes bytes;
    bytes.put(uint64_t{cameras.size()});
    for (const TestCamera& c : cameras) {
        bytes.put(c.id).put(c.model).put(c.width).put(c.height);
        for (const double p : c.parameters) bytes.put(p);
    }
    return bytes.content();
}

std::string imagesBin(const std::vector<TestImage>& images) {
    Bytes bytes;
    bytes.put(uint64_t{images.size()});
    uint32_t id = 1;
    for (const TestImage& image : images) {
        bytes.put(id++);
        for (const double q : image.rotation) bytes.put(q);
        for (const double t : image.translation) bytes.put(t);
        bytes.put(image.camera).putText(image.name).put(uint64_t{1}).put(1.5).put(2.5).put(uint64_t{7});
    }
    return bytes.content();
}

std::string pointsBin() {
    Bytes bytes;
    bytes.put(uint64_t{2});
    bytes.put(uint64_t{7}).put(1.0).put(2.0).put(3.0).put(uint8_t{10}).put(uint8_t{20}).put(uint8_t{30}).put(0.5).put(uint64_t{1});
    bytes.put(uint32_t{1}).put(uint32_t{0});
    bytes.put(uint64_t{8}).put(-1.0).put(-2.0).put(-3.0).put(uint8_t{40}).put(uint8_t{50}).put(uint8_t{60}).put(0.5).put(uint64_t{0});
    return bytes.content();
}

/// A complete model with one image in a folder of its own.
class ColmapFolder {
public:
    explicit ColmapFolder(const std::string& model = "sparse/0/") : model_(model) {
        writeCameras({TestCamera{}});
        writeImages({TestImage{}});
        scratch_.write(model_ + "points3D.bin", pointsBin());
        picture("images/a.png");
    }
    void writeCameras(const std::vector<TestCamera>& cameras) const { scratch_.write(model_ + "cameras.bin", camerasBin(cameras)); }
    void writeImages(const std::vector<TestImage>& images) const { scratch_.write(model_ + "images.bin", imagesBin(images)); }
    void picture(const std::string& name) const { scratch_.write(name, encodeWebp(testImage(8, 6, 3))); }
    const Scratch& scratch() const { return scratch_; }
    Dataset load(const DatasetOptions& options = {}) const { return loadDataset(scratch_.path(), options); }

private:
    Scratch scratch_;
    std::string model_;
};

TEST(Colmap, FindsTheModelInEachOfItsPlaces) {
    for (const char* place : {"sparse/0/", "sparse/", ""}) {
        const ColmapFolder folder(place);
        const Dataset dataset = folder.load();
        ASSERT_EQ(dataset.views.size(), 1u) << place;
        EXPECT_EQ(dataset.views[0].name, "a.png");
        EXPECT_TRUE(fs::equivalent(dataset.views[0].image, folder.scratch().path() / "images" / "a.png"));
    }
    const ColmapFolder folder;
    EXPECT_EQ(loadDataset(folder.scratch().path() / "sparse" / "0").views.size(), 1u);
    EXPECT_EQ(loadDataset(folder.scratch().path() / "sparse" / "").views.size(), 1u);
}

TEST(Colmap, ReadsPointsWithTheirColours) {
    const Dataset dataset = ColmapFolder().load();
    ASSERT_EQ(dataset.points.size(), 2u);
    EXPECT_EQ(dataset.points[0].position, glm::vec3(1, 2, 3));
    EXPECT_EQ(dataset.points[1].colour, (std::array<uint8_t, 3>{40, 50, 60}));
}

TEST(Colmap, ReadsWhichPointsAViewObserves) {
    const ColmapFolder folder;
    EXPECT_EQ(folder.load().views.at(0).points, std::vector<uint32_t>{0});
    for (const char* stem : {"cameras", "images", "points3D"})
        fs::remove(folder.scratch().path() / (std::string("sparse/0/") + stem + ".bin"));
    folder.scratch().write("sparse/0/cameras.txt", "1 PINHOLE 8 6 7 7.5 4.25 3.5\n");
    folder.scratch().write("sparse/0/images.txt", "5 1 0 0 0 0 0 0 1 a.png\n\n");
    folder.scratch().write("sparse/0/points3D.txt",
                           "7 1 2 3 10 20 30 0.5 9 0\n"                       // an image that the model lacks
                           "8 1 2 3 10 20 30 0.5 5 0 9 1 5 3\n"               // twice by the same
                           "9 1 2 3 10 20 30\n10 1 2 3 10 20 30 0.5 5 1\n");  // without error and track
    EXPECT_EQ(folder.load().views.at(0).points, (std::vector<uint32_t>{1, 3}));
    folder.scratch().write("sparse/0/points3D.txt", "7 1 2 3 10 20 30 0.5 9\n");
    expectInputError([&] { folder.load(); }, {"points3D.txt:1", "image point of the point's track"});
}

TEST(Colmap, TurnsQuaternionsIntoRotations) {
    const ColmapFolder folder;
    const double half = std::sqrt(0.5);
    folder.writeImages({{.rotation = {2 * half, 0, 0, 2 * half}, .translation = {1, 2, 3}}});  // a quarter turn about z, length 2
    const Camera camera = folder.load().views[0].camera;
    const glm::dvec3 turned = camera.rotation * glm::dvec3(1, 0, 0);
    EXPECT_NEAR(turned.x, 0, 1e-15);
    EXPECT_NEAR(turned.y, 1, 1e-15);
    EXPECT_NEAR(glm::determinant(camera.rotation), 1, 1e-14);
    EXPECT_NEAR(glm::length(camera.position() - glm::dvec3(-2, 1, -3)), 0, 1e-14);
}

TEST(Colmap, UnderstandsEachModel) {
    const ColmapFolder binary, text;
    for (const char* name : {"cameras.bin", "images.bin", "points3D.bin"}) fs::remove(text.scratch().path() / "sparse" / "0" / name);
    text.scratch().write("sparse/0/images.txt", "1 1 0 0 0 0 0 0 1 a.png\n\n");
    for (const LensSample& sample : kLensSamples) {
        const LensModel& model = *findLensModel(sample.model);
        const bool panorama = model.projection == Projection::panorama;
        std::vector<double> parameters{8, 6};
        if (!panorama) parameters = model.focals == 1 ? std::vector<double>{7, 4, 3} : std::vector<double>{7, 9, 4, 3};
        parameters.insert(parameters.end(), sample.parameters.begin(), sample.parameters.end());
        binary.writeCameras({{.model = model.id, .parameters = parameters}});
        text.scratch().write("sparse/0/cameras.txt", fmt::format("1 {} 8 6 {}\n", sample.model, fmt::join(parameters, " ")));
        for (const View& view : {binary.load().views[0], text.load().views[0]}) {
            EXPECT_EQ(view.camera.width, 8);
            EXPECT_EQ(view.camera.height, 6);
            EXPECT_EQ(view.camera.cx, 4) << sample.model;
            EXPECT_EQ(view.camera.cy, 3) << sample.model;
            EXPECT_EQ(view.distortion, sample.distortion()) << sample.model;
            if (panorama) continue;
            EXPECT_EQ(view.camera.fx, 7) << sample.model;
            EXPECT_EQ(view.camera.fy, model.focals == 1 ? 7 : 9) << sample.model;
        }
    }
}

TEST(Colmap, CamerasWithTooFewOrTooManyParametersAreRefused) {
    const Scratch scratch;
    scratch.write("images.txt", "1 1 0 0 0 0 0 0 1 a.png\n\n");
    scratch.write("a.png", encodeWebp(testImage(8, 6, 3)));
    const auto load = [&](const std::string& camera) {
        scratch.write("cameras.txt", camera + "\n");
        return [&] { loadDataset(scratch.path()); };
    };
    expectInputError(load("1 OPENCV_FISHEYE 8 6 7 7 4 3 0 0 0"), {"cameras.txt:1", "ends before camera parameters"});
    expectInputError(load("1 OPENCV_FISHEYE 8 6 7 7 4 3 0 0 0 0 0.5"), {"cameras.txt:1", "'0.5'", "8 parameters of OPENCV_FISHEYE"});
    expectInputError(load("1 OPENCV_FISHEYE 8 6 0 7 4 3 0 0 0 0"), {"cameras.txt:1: camera 1", "focal length fx is 0"});
    expectInputError(load("1 THIN_PRISM_FISHEYE 8 6 7 7 4 3 0 0 0 0 0 0 nan 0"), {"cameras.txt:1", "distortion sx1 is nan"});
    expectInputError(load("1 EUCM 8 6 7 7 4 3 0.5 -inf"), {"cameras.txt:1", "distortion beta is -inf"});
    expectInputError(load("1 EQUIRECTANGULAR 8 6 8 5"), {"cameras.txt:1", "8 and 5", "panorama's size, 8 and 6"});
    const ColmapFolder folder;
    folder.writeCameras({{.model = 6, .parameters = {7, 7, 4, 3, 0, 0, 0, 0, 0, 0}}});
    expectInputError([&] { folder.load(); }, {"cameras.bin", "camera parameters"});
}

struct ColmapText : testing::TestWithParam<std::string> {};

TEST_P(ColmapText, MayHaveCommentsBlankLinesAndBlanksInNames) {
    const Scratch scratch;
    const auto write = [&](const std::string& name, const std::vector<std::string>& lines) {
        scratch.write("sparse/" + name, fmt::format("{}{}", fmt::join(lines, GetParam()), GetParam()));
    };
    write("cameras.txt", {"# Camera list", "", "3 PINHOLE 8 6 7 7.5 4.25 3.5"});
    write("images.txt",
          {"# Image list", "# another comment", "1 1 0 0 0 1 2 3 3 b c.png", "", "2 1 0 0 0 1e0 -2.5 +3 3 sub/a.png", "1.5 2.5 -1 3 4 7"});
    write("points3D.txt", {"# none", "5 1 2 3 10 20 30 0.1 1 0 2 0", "6 -1 -2 -3 1 2 3 0.1"});
    scratch.write("images/b c.png", encodeWebp(testImage(8, 6, 3)));
    scratch.write("images/sub/a.png", encodeWebp(testImage(8, 6, 3)));
    const Dataset dataset = loadDataset(scratch.path());
    ASSERT_EQ(dataset.views.size(), 2u);
    EXPECT_EQ(dataset.views[0].name, "b c.png");
    EXPECT_EQ(dataset.views[1].name, "sub/a.png");
    EXPECT_EQ(dataset.views[1].camera.translation, glm::dvec3(1, -2.5, 3));
    EXPECT_EQ(dataset.views[0].camera.cx, 4.25);
    ASSERT_EQ(dataset.points.size(), 2u);
    EXPECT_EQ(dataset.points[1].position, glm::vec3(-1, -2, -3));
}

INSTANTIATE_TEST_SUITE_P(LineEnds, ColmapText, testing::Values("\n", "\r\n"),
                         [](const auto& test) { return test.param == "\n" ? "LF" : "CRLF"; });

TEST(Colmap, TextErrorsNameTheLine) {
    const Scratch scratch;
    scratch.write("cameras.txt", "# one\n1 PINHOLE 8 6 7 seven 4 3\n");
    scratch.write("images.txt", "");
    expectInputError([&] { loadDataset(scratch.path()); }, {"cameras.txt:2", "camera parameters is 'seven'", "expected a number"});
    scratch.write("cameras.txt", "1 PINHOLE 8 6 7\n");
    expectInputError([&] { loadDataset(scratch.path()); }, {"cameras.txt:1", "ends before camera parameters"});
    scratch.write("cameras.txt", "1 PINHOLE 8 6 7 7 4 3\n");
    scratch.write("images.txt", "\n1 1 0 0 0 0 0 0 1\n\n");
    expectInputError([&] { loadDataset(scratch.path()); }, {"images.txt:2", "ends before image name"});
    scratch.write("images.txt", "1 1 0 0 0 0 nan 0 1 a.png\n\n");
    expectInputError([&] { loadDataset(scratch.path()); }, {"images.txt", "image 'a.png'", "translation is 0, nan, 0"});
}

TEST(Colmap, UnknownModelsAreNamedWithTheKnownOnes) {
    const ColmapFolder folder;
    const std::string known = "SIMPLE_PINHOLE, PINHOLE, SIMPLE_RADIAL, RADIAL, OPENCV, OPENCV_FISHEYE";
    for (const int32_t model : {18, 99, -1}) {
        folder.writeCameras({{.model = model}});
        expectInputError([&] { folder.load(); }, {"cameras.bin", fmt::format("model is {}", model), known});
    }
    const Scratch text;
    text.write("cameras.txt", "1 MIRROR_BALL 8 6 7\n");
    expectInputError([&] { loadDataset(text.path()); }, {"cameras.txt", "MIRROR_BALL", known, "image_undistorter"});
}

TEST(Colmap, NonFiniteNumbersNameFileAndImage) {
    const double nan = std::nan("");
    const ColmapFolder folder;
    folder.writeImages({{.rotation = {nan, 0, 0, 0}}});
    expectInputError([&] { folder.load(); }, {"images.bin", "image 'a.png'", "rotation is nan"});
    folder.writeImages({{.rotation = {0, 0, 0, 0}}});
    expectInputError([&] { folder.load(); }, {"images.bin", "image 'a.png'", "of length"});
    folder.writeImages({{.translation = {0, INFINITY, 0}}});
    expectInputError([&] { folder.load(); }, {"images.bin", "image 'a.png'", "translation is 0, inf, 0"});
    folder.writeImages({TestImage{}});
    folder.writeCameras({{.parameters = {7, nan, 4, 3}}});
    expectInputError([&] { folder.load(); }, {"cameras.bin: camera 1", "fy is nan"});
    folder.writeCameras({{.parameters = {0, 7, 4, 3}}});
    expectInputError([&] { folder.load(); }, {"cameras.bin: camera 1", "focal length fx is 0"});
    folder.writeCameras({{.width = uint64_t{1} << 40u}});
    expectInputError([&] { folder.load(); }, {"cameras.bin: camera 1", "1099511627776 and 6"});
    folder.writeCameras({TestCamera{}});
    folder.scratch().write("sparse/0/points3D.bin", Bytes()
                                                        .put(uint64_t{1})
                                                        .put(uint64_t{42})
                                                        .put(nan)
                                                        .put(0.0)
                                                        .put(0.0)
                                                        .put(uint8_t{0})
                                                        .put(uint16_t{0})
                                                        .put(0.0)
                                                        .put(uint64_t{0})
                                                        .content());
    expectInputError([&] { folder.load(); }, {"points3D.bin", "point 42", "nan"});
}

TEST(Colmap, ImagesWithoutTheirCameraAndTwiceListedOnesAreNamed) {
    const ColmapFolder folder;
    folder.writeImages({{.camera = 4}});
    expectInputError([&] { folder.load(); }, {"images.bin", "image 'a.png'", "camera is 4"});
    folder.writeImages({TestImage{}, TestImage{}});
    expectInputError([&] { folder.load(); }, {"'a.png'", "twice"});
    folder.writeImages({TestImage{}});
    folder.writeCameras({TestCamera{}, TestCamera{}});
    expectInputError([&] { folder.load(); }, {"cameras.bin", "camera 1 appears twice"});
}

TEST(Colmap, CountsThatTheFileCannotHoldAllocateNothing) {
    const ColmapFolder folder;
    for (const uint64_t count : {uint64_t{1} << 60u, uint64_t{200}}) {  // also one that is no more than the bytes, but than the records
        for (const char* name : {"cameras.bin", "images.bin", "points3D.bin"}) {
            const ColmapFolder damaged;
            damaged.scratch().write(std::string("sparse/0/") + name, Bytes().put(count).content() + std::string(200, 'x'));
            expectInputError([&] { damaged.load(); }, {name, "number of", fmt::format("is {}", count)});
        }
    }
}

TEST(Colmap, EveryPrefixIsRefused) {
    const ColmapFolder folder;
    const auto load = [&](const fs::path&) { folder.load(); };
    expectEveryPrefixToFail(folder.scratch(), "sparse/0/points3D.bin", pointsBin(), load);
    folder.scratch().write("sparse/0/points3D.bin", pointsBin());
    expectEveryPrefixToFail(folder.scratch(), "sparse/0/images.bin", imagesBin({TestImage{}}), load);
    folder.writeImages({TestImage{}});
    expectEveryPrefixToFail(folder.scratch(), "sparse/0/cameras.bin", camerasBin({{.model = 4, .parameters = {7, 7, 4, 3, 0, 0, 0, 0}}}),
                            load);
}

TEST(Colmap, DamagedBytesAreAnErrorOrADataset) {
    const ColmapFolder folder;
    const auto load = [&](const fs::path&) { folder.load(); };
    expectDamageToBeHarmless(folder.scratch(), "sparse/0/points3D.bin", pointsBin(), load);
    folder.scratch().write("sparse/0/points3D.bin", pointsBin());
    expectDamageToBeHarmless(folder.scratch(), "sparse/0/images.bin", imagesBin({TestImage{}}), load);
    folder.writeImages({TestImage{}});
    expectDamageToBeHarmless(folder.scratch(), "sparse/0/cameras.bin", camerasBin({TestCamera{}}), load);
}

TEST(Colmap, OtherImageFolderMayHaveOtherEndings) {
    const ColmapFolder folder;
    folder.picture("images_2/a.jpg");
    EXPECT_EQ(folder.load({.images = "images_2"}).views[0].image.filename(), "a.jpg");
    const fs::path absolute = folder.scratch().path() / "images_2";
    EXPECT_EQ(folder.load({.images = absolute}).views[0].image, absolute / "a.jpg");
    EXPECT_EQ(folder.load({.images = absolute}).views[0].name, "a.png");
    expectInputError([&] { folder.load({.images = "images_4"}); }, {"images_4", "a.png", "missing"});
}

}  // namespace
}  // namespace splat
