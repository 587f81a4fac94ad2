#include <splatwright/prepare/model_file.h>

#include <gtest/gtest.h>

#include <splatwright/core/file.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/prepare/from_dataset.h>
#include <splatwright/scene/dataset.h>
#include <splatwright/scene/image_file.h>
#include <splatwright/scene/undistort.h>
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

/// Camera models that both descriptions have, by COLMAP's numbers.
class DatasetOut : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Models, DatasetOut, testing::Range(0, 5));

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
    ASSERT_EQ(colmap.views.size(), 4u);
    ASSERT_EQ(transforms.views.size(), 4u);
    EXPECT_EQ(colmap.points.size(), 10u);
    for (size_t i = 0; i < 4; ++i) {
        const Camera &a = colmap.views[i].camera, &b = transforms.views[i].camera;
        EXPECT_TRUE(fs::equivalent(colmap.views[i].image, transforms.views[i].image));
        EXPECT_EQ(std::tie(a.width, a.height, a.fx, a.fy, a.cx, a.cy), std::tie(b.width, b.height, b.fx, b.fy, b.cx, b.cy));
        for (const glm::dvec2 p : {glm::dvec2(0.3, 0.2), glm::dvec2(-0.2, 0.4)})
            EXPECT_LT(glm::distance(distort(colmap.views[i].distortion, p), distort(transforms.views[i].distortion, p)), 1e-15);
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
        EXPECT_EQ(a.views[i].camera.fx, b.views[i].camera.fx);
        EXPECT_LT(glm::distance(distort(a.views[i].distortion, {0.3, 0.2}), distort(b.views[i].distortion, {0.3, 0.2})), 1e-15);
    }
}

TEST(CopyDataset, EitherDescriptionBecomesBothInAFrameOfItsOwn) {
    const test::Scratch scratch;
    const Model model = test::madeModel(4, 10, 4);
    const fs::path from = scratch.path() / "from";
    for (const ModelImage& image : model.images) {
        fs::create_directories((from / "images" / image.name).parent_path());
        writePng(from / "images" / image.name, Image8(64, 48, 3));
    }
    writeDataset(from, model, {});
    Observer observer;
    for (const char* format : {"colmap", "transforms"}) {
        const Settings settings{.input = from, .out = scratch.path() / format};
        const Report report = copyDataset(settings, format, observer);
        EXPECT_EQ(report.registered, 4u);
        for (const char* read : {"colmap", "transforms"})
            expectSameButMoved(loadDataset(from), loadDataset(settings.out, {.format = read}), report.frame.similarity);
        test::expectInputError([&] { copyDataset(settings, format, observer); }, {"expected a new or an empty folder"});
    }
    EXPECT_EQ(readModel(scratch.path() / "colmap/sparse/0").points[3].track.size(), 1u) << "tracks are kept";
}

TEST(DatasetOut, AModelThatTransformsLackIsAnErrorAndWritesNothing) {
    const test::Scratch scratch;
    EXPECT_THROW(writeDataset(scratch.path(), test::madeModel(3, 3, 7), {}), Error);
    EXPECT_TRUE(fs::is_empty(scratch.path()));
}

}  // namespace
}  // namespace splat::prepare
