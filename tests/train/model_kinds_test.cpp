// What holds for every kind of model, by its rows.
#include <gtest/gtest.h>

#include <algorithm>

#include <splatwright/core/file.h>
#include <splatwright/core/table.h>
#include <splatwright/render/kinds/blobs.h>
#include <splatwright/render/renderer.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/train/densify/picture_settings.h>
#include <splatwright/train/model/trained_kind.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/step/trainer.h>
#include "scene/blob_samples.h"
#include "scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/first_model.h"
#include "train/recipes.h"

namespace splat {
namespace {

TEST(ModelKinds, AreTrainedByARowEach) { EXPECT_EQ(rowNames(trainedKindTable()), rowNames(modelKindTable())); }

TEST(ModelKinds, ArePicturesIfTheyAreTrainedOnOne) {
    for (const TrainedKindRow* row : trainedKindTable())
        EXPECT_EQ(modelKindByName(row->name).picture, row->subject == SettingUse::pictures) << row->name;
    for (const ModelKindRow* row : modelKindTable()) EXPECT_EQ(row->picture, row->drawnBlob != nullptr) << row->name;
}

/// Black and white squares, which a colour does not fit.
Photograph squares() {
    Image8 image(48, 40, 3);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            std::ranges::fill(image.at(x, y), static_cast<uint8_t>((x / 12 + y / 10) % 2 == 0 ? 220 : 30));
    return {.name = "squares", .camera = {.width = image.width, .height = image.height, .fx = 1, .fy = 1}, .image = image};
}

class PictureKinds : public testing::TestWithParam<std::string_view> {};

TEST_P(PictureKinds, AreChosenByTheSettingAndLearnTheirPicture) {
    TrainSettings settings = defaultsOf("picture");
    settings.of<PictureSettings>().blobs = GetParam();
    settings.of<PictureSettings>().startShare = 1;
    settings.maxSplats = 400;
    settings.steps = 30;
    settings.lrMeans = settings.lrScales = settings.lrSh0 = settings.lrOpacities = 0.02;
    const Photograph picture = squares();
    Trainer trainer(testDevice(), testSort(), settings, firstModel(picture, settings), {picture}, trainedKind(settings).extent);
    EXPECT_EQ(trainer.model().kind.row->name, GetParam());
    EXPECT_EQ(trainer.model().kind.size, glm::vec2(48, 40));
    std::vector<double> losses;
    trainer.run(settings.steps, [&](const StepReport& report) {
        losses.push_back(report.loss);
        return true;
    });
    EXPECT_LT(losses.back(), 0.95 * losses.front());
}

INSTANTIATE_TEST_SUITE_P(All, PictureKinds, testing::ValuesIn(pictureKinds()), [](const auto& test) { return std::string(test.param); });

TEST(ModelKinds, ReadTheirFilesWhateverTheyAreCalled) {
    const test::Scratch scratch;
    const Blobs blobs = test::pictureLikeBlobs(50, true);
    writeBlobs(scratch.path() / "a.ply", blobs, {});
    const ModelFile picture = readModel(scratch.path() / "a.ply");
    const Blobs decoded = readBlobs(scratch.path() / "a.ply");
    EXPECT_EQ(picture.kind, kindOf(decoded));
    EXPECT_TRUE(picture.kind.summed);
    EXPECT_EQ(picture.numbers.means, storedBlobs(decoded).means);
    ASSERT_TRUE(picture.view);
    EXPECT_EQ(picture.view->background, decoded.background);
    Gaussians gaussians;
    gaussians.resize(3, 1);
    writePly(scratch.path() / "b.ply", gaussians);
    const ModelFile scene = readModel(scratch.path() / "b.ply");
    EXPECT_EQ(scene.kind, ModelKind());
    EXPECT_EQ(scene.numbers.count(), 3u);
    EXPECT_FALSE(scene.view);
}

TEST(ModelKinds, LeaveNoFileOfAnEarlierRun) {
    const test::Scratch scratch;
    for (const TrainedKindRow* row : trainedKindTable()) {
        for (const char* file : row->files)
            writeFileAtomically(scratch.path() / file, std::as_bytes(std::span(std::string_view("earlier"))));
        EXPECT_EQ(findRun(scratch.path()).has_value(), !row->files.empty()) << row->name;
        removeRun(scratch.path());
        EXPECT_TRUE(std::filesystem::is_empty(scratch.path())) << row->name;
    }
}

}  // namespace
}  // namespace splat
