// What the training panels show: views by name and score, an earlier run's curves, and the time left.
#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "../scene/scratch.h"
#include "viewer/scene/earlier_run.h"
#include "viewer/scene/training.h"
#include "viewer/scene/view_list.h"

namespace splat::app {
namespace {

using test::Scratch;

std::vector<LiveView> viewsNamed(std::initializer_list<const char*> names) {
    std::vector<LiveView> views;
    for (const char* name : names) views.push_back({.name = name, .camera = {}, .thumbnail = {}});
    return views;
}

std::vector<size_t> indices(const std::vector<ListedView>& rows) {
    std::vector<size_t> found;
    for (const ListedView& row : rows) found.push_back(row.view);
    return found;
}

LiveState scored() {
    LiveState state;
    state.testScores = {{.name = "IMG_2.jpg", .psnr = 21, .lpips = {}, .flatPsnr = {}}};
    state.trainingScores = {{.name = "IMG_1.jpg", .psnr = 25, .lpips = {}, .flatPsnr = {}},
                            {.name = "img_3.jpg", .psnr = 19, .lpips = {}, .flatPsnr = {}}};
    return state;
}

TEST(ViewLists, AreSearchedByNameInEitherCase) {
    const auto views = viewsNamed({"IMG_1.jpg", "IMG_2.jpg", "img_3.jpg", "door.png"});
    EXPECT_EQ(indices(listed({}, views, {})), (std::vector<size_t>{0, 1, 2, 3}));
    EXPECT_EQ(indices(listed({.filter = "Img"}, views, {})), (std::vector<size_t>{0, 1, 2}));
    EXPECT_EQ(indices(listed({.filter = "oor"}, views, {})), (std::vector<size_t>{3}));
    EXPECT_TRUE(listed({.filter = "window"}, views, {}).empty());
}

TEST(ViewLists, BeginWithTheWorstScoreAndEndWithoutOne) {
    const auto views = viewsNamed({"door.png", "IMG_1.jpg", "IMG_2.jpg", "img_3.jpg"});
    const auto rows = listed({.filter = "", .worstFirst = true}, views, scored());
    EXPECT_EQ(indices(rows), (std::vector<size_t>{3, 2, 1, 0}));
    EXPECT_EQ(rows[0].psnr, 19);
    EXPECT_EQ(rows[1].psnr, 21);
    EXPECT_FALSE(rows[3].psnr);
}

TEST(EarlierRuns, AreReadFromTheirLogWithoutWhatWasRolledBack) {
    const Scratch scratch;
    const auto log = scratch.write("log.jsonl",
                                   "{\"step\":1,\"loss\":0.5,\"splats\":100,\"ms_per_step\":null}\n"
                                   "{\"step\":100,\"loss\":0.25,\"splats\":120,\"ms_per_step\":2.5,\"psnr\":20.5}\n"
                                   "{\"step\":200,\"loss\":9,\"splats\":150,\"ms_per_step\":3,\"psnr\":5}\n"
                                   "{\"step\":210,\"loss\":9,\"splats\":150,\"rolled_back_to\":100}\n"
                                   "{\"step\":200,\"loss\":0.125,\"splats\":130,\"ms_per_step\":2}\n"
                                   "{\"step\":300,\"lo");
    const EarlierRun run = readEarlierRun(log);
    EXPECT_EQ(run.name, log.parent_path().filename().string());
    EXPECT_EQ(run.steps, (std::vector<uint32_t>{1, 100, 200}));
    EXPECT_EQ(run.losses, (std::vector<float>{0.5F, 0.25F, 0.125F}));
    EXPECT_EQ(run.splats, (std::vector<float>{100, 120, 130}));
    EXPECT_EQ(run.milliseconds, (std::vector<float>{0, 2.5F, 2}));
    EXPECT_EQ(run.evaluatedSteps, (std::vector<uint32_t>{100}));
    EXPECT_EQ(run.psnr, (std::vector<float>{20.5F}));
    EXPECT_EQ(readEarlierRun(log.parent_path()).steps, run.steps) << "of the run's folder";
}

TEST(EarlierRuns, AreRefusedWithoutASingleStep) {
    const Scratch scratch;
    EXPECT_THROW(readEarlierRun(scratch.write("other.jsonl", "{\"a\":1}\nnothing\n")), InputError);
    EXPECT_THROW(readEarlierRun(scratch.path() / "none.jsonl"), InputError);
}

TEST(Durations, HaveTheTwoLargestUnits) {
    EXPECT_EQ(durationText(6.6), "7 s");
    EXPECT_EQ(durationText(200), "3 min 20 s");
    EXPECT_EQ(durationText(59.9), "1 min 00 s");
    EXPECT_EQ(durationText(7500), "2 h 05 min");
}

}  // namespace
}  // namespace splat::app
