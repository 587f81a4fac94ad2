// Training in the viewer's window.
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/presets/presets.h>
#include "train_view.h"
#include "viewer/scene/frusta.h"

namespace splat {
namespace {

using namespace test;

struct ViewerTraining : TrainView {
    std::string openData() const {
        return "train_set init random\ntrain_set init_count 60\nopen " + data.string() + "\nwait phase ready\n";
    }
    /// The dataset's cameras where the last report's view shows them.
    std::vector<app::Frustum> frusta() const {
        const json camera = readReport().at("camera");
        const auto point = [&](const char* name) {
            const auto p = camera.at(name).get<std::vector<double>>();
            return glm::dvec3(p[0], p[1], p[2]);
        };
        std::ofstream(at("camera.json")) << camera.at("file").dump();
        std::vector<Camera> cameras;
        for (const View& view : loadDataset(data).views) cameras.push_back(view.camera);
        return app::frustaOf(cameras, readCameraFile(at("camera.json")).front().camera,
                             app::kFrustumDepth * glm::distance(point("eye"), point("target")));
    }
};

TEST_F(ViewerTraining, TakesSettingsEvaluatesAndSaves) {
    expectSuccess(play(openData() + writeReport("start.json") +
                           "key T\nwait step 20\ntrain_set lr_sh0 0.01\nwait step 50\nkey T\nwait phase paused\nkey Ctrl+E\nwait "
                           "evaluation\nkey PageDown\n"
                           "picture error\nwait picture\nscreenshot " +
                           at("error.png").string() + "\nsave " + at("trained.ply").string() + "\nwait frames 5\n" + writeReport(),
                       {"--validate"}));
    const json found = readReport();
    EXPECT_GE(found.at("training").at("step"), 50);
    EXPECT_EQ(found.at("training").at("splats"), 60);
    EXPECT_NEAR(found.at("training").at("psnr").get<double>(), psnrOf(at("trained.ply")), 0.05);
    EXPECT_FALSE(found.at("problem").get<bool>()) << found.at("notice");
    EXPECT_GT(coloursOf(readImage(at("error.png"))), 100u);
}

/// The list of views, sorted and searched, and the worst of them.
TEST_F(ViewerTraining, ListsViewsByTheirScores) {
    expectSuccess(play("train_set steps 5\n" + openData() + "try worst_view\n" + writeReport("none.json") +
                       "key T\nwait phase finished\nevaluate_views\nwait frames 3\n" + writeReport("scored.json") + "worst_first 1\n" +
                       writeReport("worst.json") + "worst_view\n" + writeReport("through.json") + "find_views 000\n" +
                       writeReport("found.json")));
    EXPECT_TRUE(readReport("none.json").at("problem").get<bool>());
    const json training = readReport("scored.json").at("training");
    std::map<std::string, double> scores = training.at("scores").at("training");
    EXPECT_EQ(scores.size() + training.at("scores").at("test").size(), training.at("listed").size()) << "all views";
    scores.merge(training.at("scores").at("test").get<std::map<std::string, double>>());
    const auto listed = readReport("worst.json").at("training").at("listed").get<std::vector<std::string>>();
    EXPECT_TRUE(std::ranges::is_sorted(listed, {}, [&](const std::string& name) { return scores.at(name); }));
    EXPECT_EQ(readReport("through.json").at("camera").at("view"), listed.front());
    for (const auto& name : readReport("found.json").at("training").at("listed"))
        EXPECT_NE(name.get<std::string>().find("000"), std::string::npos);
    EXPECT_LT(readReport("found.json").at("training").at("listed").size(), listed.size() + 1);
}

/// The panel's file is the command line's, in both directions.
TEST_F(ViewerTraining, TakesAndSavesPresets) {
    const fs::path saved = at("mine.json");
    expectSuccess(play(openData() + "preset fast\nsave_preset " + at("fast.json").string() + "\ntrain_set lr_sh0 0.011\nsave_preset " +
                       saved.string() + "\npreset default\nsave_preset " + at("default.json").string() + "\npreset " + saved.string() +
                       "\nsave_preset " + at("again.json").string() + "\ntry preset none\n" + writeReport()));
    const json fast = json::parse(readTextFile(at("fast.json"))), mine = json::parse(readTextFile(saved));
    const json given = readPreset("train", "fast", "preset");
    for (const auto& [name, value] : given.items()) EXPECT_EQ(fast.at(name), value) << name;
    EXPECT_NEAR(mine.at("lr_sh0").get<double>(), 0.011, 1e-7);
    EXPECT_NE(json::parse(readTextFile(at("default.json"))), mine);
    EXPECT_EQ(json::parse(readTextFile(at("again.json"))), mine);
    EXPECT_TRUE(readReport().at("problem").get<bool>());
    const fs::path run = at("run");
    expectSuccess(splatwright(
        {"train", data, "-o", run, "--preset", saved.string(), "--steps", "2", "--init", "random", "--set", "init_count=60", "-q"}));
    EXPECT_EQ(metricsOf(run).at("settings").at("lr_sh0"), mine.at("lr_sh0"));
    EXPECT_EQ(metricsOf(run).at("settings").at("strategy"), mine.at("strategy"));
}

TEST_F(ViewerTraining, ComparesWithAnEarlierRunAndSaysTheTimeLeft) {
    expectSuccess(splatwright(
        {"train", data, "-o", at("earlier"), "--steps", "3", "--init", "random", "--set", "init_count=60", "--set", "log_every=1", "-q"}));
    expectSuccess(play("train_set steps 100000\n" + openData() + "earlier_run " + at("earlier").string() + "\nkey T\nwait step 5\n" +
                       writeReport("runs.json") + "key T\nwait phase paused\nforget_earlier_run\n" + writeReport("paused.json") +
                       "try earlier_run " + splats.string() + "\n" + writeReport("other.json")));
    const json running = readReport("runs.json").at("training");
    EXPECT_EQ(running.at("earlier"), "earlier");
    EXPECT_GT(running.at("seconds_left"), 0);
    EXPECT_EQ(running.at("terms"), json({"l1", "dssim"}));
    EXPECT_TRUE(readReport("paused.json").at("training").at("earlier").is_null());
    EXPECT_TRUE(readReport("paused.json").at("training").at("seconds_left").is_null());
    EXPECT_TRUE(readReport("other.json").at("problem").get<bool>());
}

/// One description of the settings: what the viewer trains with is what the command line does, for every strategy and where none is named.
TEST_F(ViewerTraining, SettingsAreThoseOfTheCommandLine) {
    for (const std::string strategy : {"default", "mcmc", "fixed", "none"}) {
        const fs::path checkpoint = at(strategy + ".splat-ckpt"), run = at(strategy);
        const bool named = strategy != "none";
        expectSuccess(play((named ? "train_set strategy " + strategy + "\n" : "") + "train_set steps 3\n" + openData() +
                           "key T\nwait phase finished\nsave_checkpoint " + checkpoint.string() + "\nwait file " + checkpoint.string() +
                           "\n"));
        std::vector<std::string> command{"train",  data.string(), "-o",    run.string(),    "--steps", "3",
                                         "--init", "random",      "--set", "init_count=60", "-q"};
        if (named) command.insert(command.end(), {"--strategy", strategy});
        expectSuccess(splatwright(command));
        EXPECT_EQ(json(readCheckpoint(checkpoint).header.at("settings")), metricsOf(run).at("settings")) << strategy;
    }
}

TEST_F(ViewerTraining, ItsGradientsShow) {
    expectSuccess(play("train_set strategy default\n" + openData() +
                           "key Tab\nkey T\nwait step 30\nkey T\nwait phase paused\npicture gradient\nwait picture\nscreenshot " +
                           at("gradient.png").string() + "\npicture colour\nwait picture\nscreenshot " + at("colour.png").string() + "\n",
                       {"--validate"}));
    EXPECT_GT(coloursOf(readImage(at("gradient.png"))), 100u);
    EXPECT_NE(readImage(at("gradient.png")).pixels, readImage(at("colour.png")).pixels);
}

TEST_F(ViewerTraining, ACopyOfItsModelCanBeEdited) {
    expectSuccess(play(openData() + "key T\nwait step 10\nkey T\nwait phase paused\ntry key Ctrl+A\n" + writeReport("refused.json") +
                           "key Ctrl+D\nselect_opacity 0 0.1\nkey Ctrl+I\nkey Delete\nwait frames 3\n" + writeReport() + "save " +
                           at("edited.ply").string() + "\nkey T\nwait step 20\n",
                       {"--validate"}));
    EXPECT_TRUE(readReport("refused.json").at("problem").get<bool>());
    const json models = readReport().at("models");
    ASSERT_EQ(models.size(), 2u);
    EXPECT_FALSE(models[0].at("visible").get<bool>());
    EXPECT_TRUE(models[1].at("visible").get<bool>());
    EXPECT_EQ(models[1].at("splats"), 60);
    const Gaussians edited = readPly(at("edited.ply"));
    EXPECT_GT(edited.count(), 0u);
    EXPECT_LT(edited.count(), 60u);
    for (const float o : edited.logitOpacities) EXPECT_LE(1 / (1 + std::exp(-o)), 0.1f + 1e-6f);
}

TEST_F(ViewerTraining, CamerasShowTheirPhotographsAndAClickLooksThroughOne) {
    const std::string start = openData() + "key Tab\norbit 30 -20\nwheel 50% 50% -4\nvisible 0\n";
    expectSuccess(play(start + "key C\nkey Shift+C\nwait frames 3\nscreenshot " + at("lines.png").string() +
                           "\nkey Shift+C\nwait frames 3\nscreenshot " + at("photographs.png").string() + "\n" + writeReport(),
                       {"--validate"}));
    EXPECT_GT(coloursOf(readImage(at("photographs.png"))), coloursOf(readImage(at("lines.png"))) + 100);
    EXPECT_TRUE(readReport().at("camera").at("view").is_null());

    const app::Frustum nearest = frusta().back();
    const glm::dvec2 middle = 0.25 * (nearest.corners[0] + nearest.corners[1] + nearest.corners[2] + nearest.corners[3]);
    expectSuccess(play(start + fmt::format("key C\nwait frames 3\nclick {} {}\nwait frames 3\n", middle.x, middle.y) + writeReport()));
    EXPECT_EQ(readReport().at("camera").at("view"), loadDataset(data).views[nearest.view].name);
}

/// From the first steps to the last, with the view's name and its PSNR at each.
TEST_F(ViewerTraining, TheWorstViewIsPicturedAlongTheTraining) {
    expectSuccess(play(openData() + "train_set steps 60\n" + writeReport("before.json") + "key T\nwait phase finished\nwait frames 60\n" +
                       writeReport() + "screenshot_panels " + at("panels.png").string() + "\n"));
    EXPECT_TRUE(readReport("before.json").at("training").at("strip").is_null());
    const json strip = readReport().at("training").at("strip");
    const auto steps = strip.at("steps").get<std::vector<uint32_t>>();
    ASSERT_GE(steps.size(), 2u);
    EXPECT_TRUE(std::ranges::is_sorted(steps));
    EXPECT_EQ(std::ranges::adjacent_find(steps), steps.end());
    EXPECT_EQ(steps.back(), 60u);
    EXPECT_EQ(strip.at("psnr").size(), steps.size());
    EXPECT_GT(strip.at("psnr").back().get<double>(), 3);
    std::vector<std::string> names;
    for (const View& view : loadDataset(data).views) names.push_back(view.name);
    EXPECT_NE(std::ranges::find(names, strip.at("view").get<std::string>()), names.end());
}

TEST_F(ViewerTraining, FloatersAreRemovedAndTrainingGoesOn) {
    expectSuccess(play("train_set strategy fixed\n" + openData() +
                       "train_set steps 400\nkey T\nwait step 10\nkey T\nwait phase paused\nwait picture\n" + writeReport("before.json") +
                       "remove_floaters 1.3\nwait picture\n" + writeReport("after.json") + "key T\nwait phase finished\n" +
                       writeReport("end.json") + "try remove_floaters 0\n" + writeReport("refused.json")));
    const auto splatsIn = [&](const char* name) { return readReport(name).at("training").at("splats").get<uint32_t>(); };
    const auto removed = readReport("after.json").at("training").at("removed").get<uint32_t>();
    EXPECT_GT(removed, 0u);
    EXPECT_LT(removed, splatsIn("before.json"));
    EXPECT_EQ(splatsIn("after.json"), splatsIn("before.json") - removed);
    EXPECT_EQ(readReport("after.json").at("models")[0].at("splats"), splatsIn("after.json")) << "the view follows";
    EXPECT_EQ(splatsIn("end.json"), splatsIn("after.json"));
    EXPECT_TRUE(readReport("refused.json").at("problem").get<bool>());
}

/// What is saved is inside; the view shows the box until the region is cleared.
TEST_F(ViewerTraining, TheBoxBecomesTheRegionThatTrainingKeepsTo) {
    const auto look = [&](const std::string& name) { return "wait picture\nscreenshot " + at(name + ".png").string() + "\n"; };
    expectSuccess(play("train_set strategy fixed\n" + openData() +
                       "train_set steps 20\nkey T\nwait phase finished\nplace_box 0 0 0 0.6 0.5 0.4 0 0 0\n" + look("none") + "region\n" +
                       writeReport() + look("region") + "save " + at("inside.ply").string() + "\nclear_region\n" + look("cleared") +
                       "save " + at("all.ply").string() + "\ntry region sideways\n" + writeReport("refused.json")));
    EXPECT_FALSE(readReport().at("problem").get<bool>()) << readReport().at("notice");
    const Gaussians inside = readSplats(at("inside.ply")), all = readSplats(at("all.ply"));
    const auto isInside = [](const glm::vec3& mean) { return glm::all(glm::lessThanEqual(glm::abs(mean), glm::vec3(0.6, 0.5, 0.4))); };
    EXPECT_EQ(static_cast<std::ptrdiff_t>(inside.count()), std::ranges::count_if(all.means, isInside));
    EXPECT_GT(inside.count(), 0u);
    EXPECT_LT(inside.count(), all.count());
    EXPECT_TRUE(std::ranges::all_of(inside.means, isInside));
    EXPECT_NE(readImage(at("none.png")).pixels, readImage(at("region.png")).pixels) << "the box shows";
    EXPECT_EQ(readImage(at("none.png")).pixels, readImage(at("cleared.png")).pixels);
    EXPECT_TRUE(readReport("refused.json").at("problem").get<bool>());
}

}  // namespace
}  // namespace splat
