#include <splatwright/prepare/model_file.h>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/prepare/from_dataset.h>
#include <splatwright/scene/cameras/lens.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/images/image_file.h>
#include "../scene/scratch.h"
#include "made_model.h"

namespace splat::prepare {
namespace {

namespace fs = std::filesystem;

TEST(ModelFile, WhatIsWrittenIsReadBack) {
    const test::Scratch scratch;
    const Model model = test::madeModel(5, 40, 1);
    writeModel(scratch.path() / "a", model);
    writeModel(scratch.path() / "b", readModel(scratch.path() / "a"));
    for (const char* file : {"cameras.bin", "images.bin", "points3D.bin"})
        EXPECT_TRUE(readTextFile(scratch.path() / "a" / file) == readTextFile(scratch.path() / "b" / file)) << file;
    const Model read = readModel(scratch.path() / "a");
    ASSERT_EQ(read.images.size(), 5u);
    EXPECT_EQ(read.images[2].name, model.images[2].name);
    EXPECT_EQ(read.images[2].keypoints.size(), model.images[2].keypoints.size());
    EXPECT_EQ(read.points[7].track.size(), model.points[7].track.size());
    EXPECT_EQ(read.points[7].position, model.points[7].position);
    EXPECT_EQ(read.cameras[0].parameters, model.cameras[0].parameters);
}

TEST(ModelFile, ADamagedFileIsAnErrorOrAModel) {
    const test::Scratch scratch;
    writeModel(scratch.path(), test::madeModel(2, 4, 1));
    for (const char* name : {"cameras.bin", "images.bin", "points3D.bin"}) {
        const std::string content = readTextFile(scratch.path() / name);
        const auto read = [&](const fs::path&) { readModel(scratch.path()); };
        test::expectEveryPrefixToFail(scratch, name, content, read);
        test::expectDamageToBeHarmless(scratch, name, content, read);
        scratch.write(name, content);
    }
}

/// Positions of some rays in both images.
void expectSameLens(const View& a, const View& b) {
    EXPECT_EQ(a.distortion.face, b.distortion.face);
    const Lens one(a.camera, a.distortion), other(b.camera, b.distortion);
    for (const glm::dvec3 ray : {glm::dvec3(0.3, 0.2, 1), glm::dvec3(-0.2, 0.4, 1)}) {
        const auto found = one.pixelOf(ray), expected = other.pixelOf(ray);
        ASSERT_TRUE(found && expected);
        EXPECT_LT(glm::distance(*found, *expected), 1e-12);
    }
}

/// All of COLMAP's camera models, by number.
class DatasetOut : public testing::TestWithParam<int> {
protected:
    static bool isPanorama() { return findLensModel(GetParam())->projection == Projection::panorama; }
    static size_t viewsPerImage() { return isPanorama() ? 6 : 1; }
};
INSTANTIATE_TEST_SUITE_P(Models, DatasetOut, testing::Range(0, 18),
                         [](const auto& p) { return std::string(findLensModel(p.param)->name); });

TEST_P(DatasetOut, BothDescriptionsHoldTheSameCameras) {
    const test::Scratch scratch;
    const Model model = test::madeModel(4, 10, GetParam());
    for (const ModelImage& image : model.images) {
        fs::create_directories((scratch.path() / "images" / image.name).parent_path());
        writePng(scratch.path() / "images" / image.name, Image8(64, 48, 3));
    }
    writeDataset(scratch.path(), model, {});
    const Dataset colmap = loadDataset(scratch.path(), {.format = "colmap"}),
                  transforms = loadDataset(scratch.path(), {.format = "transforms"});
    ASSERT_EQ(colmap.views.size(), 4 * viewsPerImage());
    ASSERT_EQ(transforms.views.size(), 4 * viewsPerImage());
    EXPECT_EQ(colmap.points.size(), 10u);
    for (size_t i = 0; i < colmap.views.size(); ++i) {
        const Camera &a = colmap.views[i].camera, &b = transforms.views[i].camera;
        EXPECT_TRUE(fs::equivalent(colmap.views[i].image, transforms.views[i].image));
        EXPECT_EQ(std::tie(a.width, a.height, a.fx, a.fy, a.cx, a.cy), std::tie(b.width, b.height, b.fx, b.fy, b.cx, b.cy));
        expectSameLens(colmap.views[i], transforms.views[i]);
        EXPECT_LT(glm::distance(a.position(), b.position()), 1e-12);
        for (int axis = 0; axis < 3; ++axis) EXPECT_LT(glm::distance(a.rotation[axis], b.rotation[axis]), 1e-12);
    }
}

/// A copy shows the same, in another frame.
void expectSameButMoved(const Dataset& a, const Dataset& b, const Similarity& moved) {
    ASSERT_EQ(a.views.size(), b.views.size());
    for (size_t i = 0; i < a.views.size(); ++i) {
        EXPECT_EQ(a.views[i].image.filename(), b.views[i].image.filename());
        EXPECT_LT(glm::distance(moved(a.views[i].camera.position()), b.views[i].camera.position()), 1e-9);
        expectSameLens(a.views[i], b.views[i]);
    }
}

TEST_P(DatasetOut, IsCopiedFromEitherDescriptionIntoAFrameOfItsOwn) {
    const test::Scratch scratch;
    const Model model = test::madeModel(4, 10, GetParam());
    const fs::path from = scratch.path() / "from";
    for (const ModelImage& image : model.images) {
        fs::create_directories((from / "images" / image.name).parent_path());
        writePng(from / "images" / image.name, Image8(64, 48, 3));
    }
    writeDataset(from, model, {});
    Observer observer;
    for (const char* format : {"colmap", "transforms"}) {
        // No COLMAP that would triangulate points.
        const Settings settings{.input = from, .out = scratch.path() / format, .colmap = "/bin/false"};
        const Report report = copyDataset(settings, format, observer);
        EXPECT_EQ(report.registered, 4u);
        for (const char* read : {"colmap", "transforms"})
            expectSameButMoved(loadDataset(from), loadDataset(settings.out, {.format = read}), report.frame.similarity);
        test::expectInputError([&] { copyDataset({.input = scratch.path() / "from/..", .out = settings.out}, format, observer); },
                               {"was made of the dataset"});
    }
    EXPECT_EQ(readModel(scratch.path() / "colmap/sparse/0").points[3].track.size(), 1u) << "tracks are kept";
}

TEST(CopyDataset, ALensThatColmapHasNotIsAnError) {
    const test::Scratch scratch;
    const fs::path from = scratch.path() / "from";
    fs::create_directories(from);
    for (const char* name : {"a.png", "b.png"}) writePng(from / name, Image8(64, 48, 3));
    const auto copy = [&](const char* parameters) {
        scratch.write("from/transforms.json", fmt::format(R"({{"fl_x": 60, "fl_y": 60, "cx": 32, "cy": 24, "w": 64, "h": 48, {}, "frames": [
{{"file_path": "a.png", "transform_matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}},
{{"file_path": "b.png", "transform_matrix": [[1,0,0,1],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}}]}})",
                                                          parameters));
        Observer observer;
        return copyDataset({.input = from, .out = scratch.path() / "to", .colmap = "/bin/false"}, "transforms", observer);
    };
    test::expectInputError([&] { copy(R"("k1": 0.01, "k4": 0.001)"); }, {"a.png", "k4 is 0.001", "expected 0"});
    copy(R"("k1": 0.01, "k3": 0.002)");
    const ModelCamera camera = readModel(scratch.path() / "to/sparse/0").cameras.at(0);
    EXPECT_EQ(camera.model, 6);
    EXPECT_EQ(camera.parameters, (std::vector<double>{60, 60, 32, 24, 0.01, 0, 0, 0, 0.002, 0, 0, 0}));
}

}  // namespace
}  // namespace splat::prepare
