#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include "viewer/scene/frusta.h"
#include "viewer_script.h"

namespace splat {
namespace {

using namespace test;

struct Viewer : ViewerScript {
    Viewer() { size = "300x200"; }
};

TEST_F(Viewer, OpensASampleOfEveryFormat) {
    std::string script;
    size_t splatsInAll = 0, models = 0;
    for (const SplatFormat* format : splatFormats()) {
        const std::string name =
            fmt::format("sample{}{}", models++, format->recognises ? "" : format->extension);  // by content where it says so
        const SplatSample sample = kSplatSamples.at(format->name)().back();
        splatsInAll += sample.expected.count();
        script += "open " + scratch.write(name, sample.content).string() + "\n";
    }
    expectSuccess(play(script + "wait picture\n" + writeReport(), {"--validate"}));
    const json found = readReport();
    EXPECT_EQ(found.at("models").size(), models);
    size_t sum = 0;
    for (const json& m : found.at("models")) sum += m.at("splats").get<size_t>();
    EXPECT_EQ(sum, splatsInAll);
    EXPECT_FALSE(found.at("problem").get<bool>()) << found.at("notice");
}

TEST_F(Viewer, DrawsEveryPicture) {
    std::string script = openSplats() + "key Tab\n";
    const std::vector<std::string> pictures{"colour", "models",  "depth",      "alpha",   "splats", "tile-splats",
                                            "tiles",  "opacity", "ellipsoids", "centres", "radius"};
    for (const std::string& p : pictures) script += "picture " + p + "\nwait picture\nscreenshot " + at(p + ".png").string() + "\n";
    expectSuccess(play(script, {"--validate"}));
    std::set<std::vector<uint8_t>> different;
    for (const std::string& p : pictures) {
        const Image8 image = readImage(at(p + ".png"));
        EXPECT_GT(coloursOf(image), 1u) << p;
        different.insert(image.pixels);
    }
    EXPECT_EQ(different.size(), pictures.size());
}

TEST_F(Viewer, AFingerThatPressesFarFromWhereThePointerWasMovesNothingUntilItIsDragged) {
    const std::string start = openSplats() + "key Tab\nwait picture\nmove 90% 80%\n" + writeReport("start.json");
    const auto camera = [&](const std::string& name) { return readReport(name).at("camera"); };
    for (const char* button : {"left", "right", "middle"}) {
        expectSuccess(play(fmt::format("{}touch 30% 40% 30% 40% {}\n{}touch 70% 50% 60% 45% {}\n{}", start, button,
                                       writeReport("pressed.json"), button, writeReport("touched.json"))));
        EXPECT_EQ(camera("pressed.json"), camera("start.json")) << button;
        EXPECT_NE(camera("touched.json"), camera("start.json")) << button;
        expectSuccess(play(fmt::format("{}drag 70% 50% 60% 45% {}\n{}", start, button, writeReport("dragged.json"))));
        EXPECT_EQ(camera("touched.json"), camera("dragged.json")) << button;
    }
}

TEST_F(Viewer, ATapIsAClickWhereverThePointerWas) {
    const std::string start = openSplats() + "key Tab\nwait picture\nmove 90% 80%\n";
    expectSuccess(play(start + "touch 50% 50% 50% 50%\nwait frames 3\n" + writeReport("tapped.json")));
    expectSuccess(play(start + "click 50% 50%\nwait frames 3\n" + writeReport("clicked.json")));
    expectSuccess(play(start + "wait frames 3\n" + writeReport("neither.json")));
    EXPECT_EQ(readReport("tapped.json").at("probe"), readReport("clicked.json").at("probe"));
    EXPECT_NE(readReport("tapped.json").at("probe"), readReport("neither.json").at("probe"));
}

TEST_F(Viewer, TurnsPansAndZoomsByPointerAndKeys) {
    const std::string turn = "drag 40% 50% 60% 50%", pan = turn + " right", zoom = "wheel 50% 50% 3", fly = "hold W 5";
    std::string script = openSplats() + "key Tab\nwait picture\n" + writeReport("0.json");
    // Each from where the first report was.
    for (const auto& [i, action] : std::map<int, std::string>{{1, turn}, {2, pan}, {3, zoom}, {4, fly}, {5, turn + "\nkey Shift+F"}})
        script += action + "\n" + writeReport(fmt::format("{}.json", i)) + "key Shift+F\n";
    expectSuccess(play(script));
    const auto camera = [&](int i) {
        const json found = readReport(fmt::format("{}.json", i)).at("camera");
        return std::pair(found.at("eye").get<std::vector<double>>(), found.at("target").get<std::vector<double>>());
    };
    const auto [eye, target] = camera(0);
    const auto turned = camera(1);
    EXPECT_NE(turned.first, eye);
    EXPECT_EQ(turned.second, target);
    EXPECT_NE(camera(2).second, target);
    const auto nearer = camera(3);
    EXPECT_EQ(nearer.second, target);
    const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
        return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    };
    EXPECT_NEAR(distance(nearer.first, target) / distance(eye, target), std::pow(0.87, 3), 1e-3);
    EXPECT_NE(camera(4).first, eye);
    EXPECT_EQ(camera(5), camera(0));
}

TEST_F(Viewer, ListsTheSplatsUnderAPixel) {
    expectSuccess(play(openSplats() + "key Tab\nwait picture\nclick 50% 50%\nwait picture\nwait frames 2\n" + writeReport()));
    const json probe = readReport().at("probe");
    ASSERT_FALSE(probe.is_null());
    double last = 0;
    for (const json& hit : probe.at("hits")) {
        EXPECT_GE(hit.at("depth").get<double>(), last);
        last = hit.at("depth");
    }
}

/// Two kernels that know nothing of each other: the query's, and the one that blends again.
TEST_F(Viewer, SeesInsideAPixelWhatAQueryFindsThere) {
    std::string script = openSplats() + "key Tab\nwait picture\n";
    for (int x = 10; x < 100; x += 20)
        script += fmt::format("click {0}% 50%\nwait picture\nwait frames 2\nsee_inside\n", x) + writeReport(fmt::format("{}.json", x));
    expectSuccess(play(script));
    size_t hits = 0;
    for (int x = 10; x < 100; x += 20) {
        const json report = readReport(fmt::format("{}.json", x));
        const json &probe = report.at("probe"), &inside = report.at("inside");
        EXPECT_EQ(inside.at("blended").size(), probe.at("listed"));
        EXPECT_GE(inside.at("listed"), probe.at("listed"));
        EXPECT_NEAR(inside.at("transmittance").get<double>(), probe.at("transmittance").get<double>(), 1e-6);
        for (size_t i = 0; i < probe.at("hits").size(); ++i, ++hits) {
            const json &step = inside.at("blended")[i], &hit = probe.at("hits")[i];
            EXPECT_EQ(step.at("gaussian"), hit.at("splat"));
            EXPECT_NEAR(step.at("contribution").get<double>(), hit.at("contribution").get<double>(), 1e-6);
        }
    }
    EXPECT_GT(hits, 0u);
}

TEST_F(Viewer, EditsAreUndoneAndSaved) {
    const std::string start = openSplats() + "wait picture\n";
    const size_t all = readPly(splats).count();
    expectSuccess(play(start + "select_opacity 0 1\nkey Delete\nkey Ctrl+Z\nselect_opacity 0 0.5\nkey Delete\nplace 1 2 3 0 90 0 2\nsave " +
                       at("saved.ply").string() + "\nkey Ctrl+Z\nkey Ctrl+Z\nsave " + at("whole.ply").string() + "\n" + writeReport()));
    const Gaussians before = readPly(splats), saved = readPly(at("saved.ply"));
    size_t kept = 0;
    for (const float o : before.logitOpacities) kept += o > 0;
    EXPECT_EQ(saved.count(), kept);
    EXPECT_EQ(readPly(at("whole.ply")).count(), all);
}

/// The point this far along a direction of the world from the target, in percent of the view, which has no panels.
std::string alongAxis(const Camera& camera, const glm::dvec3& target, const glm::dvec3& direction, double pixels) {
    const glm::dvec2 centre = app::onPicture(camera, target).value();
    const glm::dvec2 step = glm::normalize(app::onPicture(camera, target + 0.01 * direction).value() - centre);
    const glm::dvec2 point = (centre + pixels * step) / glm::dvec2(camera.width, camera.height);
    return fmt::format("{}% {}%", 100 * point.x, 100 * point.y);
}

TEST_F(Viewer, AHandleThatIsDraggedMovesTheModelWhichUndoTakesBack) {
    size = "640x400";
    const std::string start = openSplats() + "key Tab\norbit 30 20\nkey 1\nwait picture\nwait frames 3\n";
    expectSuccess(play(start + writeReport("before.json")));
    const json before = readReport("before.json");
    std::ofstream(at("camera.json")) << before.at("camera").at("file").dump();
    const Camera camera = readCameraFile(at("camera.json")).front().camera;
    const auto target = before.at("camera").at("target").get<std::vector<double>>();
    const auto point = [&](double pixels) { return alongAxis(camera, {target[0], target[1], target[2]}, {1, 0, 0}, pixels); };
    expectSuccess(play(start + "drag " + point(60) + " " + point(100) + "\nwait picture\nwait frames 3\n" + writeReport("after.json") +
                       "key Ctrl+Z\n" + writeReport("undone.json")));
    const auto position = [&](const std::string& report) {
        return readReport(report).at("models")[0].at("position").get<std::vector<double>>();
    };
    EXPECT_GT(position("after.json")[0], position("before.json")[0]);
    EXPECT_NEAR(position("after.json")[1], position("before.json")[1], 1e-5);
    EXPECT_EQ(readReport("after.json").at("camera").at("eye"), before.at("camera").at("eye")) << "the drag is the handle's alone";
    EXPECT_NE(readReport("after.json").at("controls").at("undo"), before.at("controls").at("undo"));
    EXPECT_EQ(position("undone.json"), position("before.json"));
}

struct EditedShader : Viewer, testing::WithParamInterface<const char*> {};

TEST_P(EditedShader, IsTakenAndTheOldOneIsKeptWhileItIsBroken) {
    fs::copy(fs::path(SPLAT_SHADERS), at("shaders"), fs::copy_options::recursive);
    const fs::path shader = at("shaders") / GetParam();
    const std::string good = readTextFile(shader);
    const std::string start = openSplats() + "key Tab\nwait picture\nscreenshot " + at("before.png").string() + "\n";
    std::ofstream(at("script.txt")) << start << writeReport("start.json") << "wait file " << at("broken").string() << "\ntry key R\n"
                                    << writeReport("broken.json") << "wait picture\nscreenshot " << at("broken.png").string()
                                    << "\nwait file " << at("good").string() << "\nkey R\nwait picture\n"
                                    << writeReport("good.json");
    const auto edit = [&] {  // what a person does with an editor, beside the running viewer
        if (fs::exists(at("start.json")) && !fs::exists(at("broken"))) {
            std::ofstream(shader) << good << "\nthis is no Slang\n";
            std::ofstream(at("broken")) << "now";
        }
        if (fs::exists(at("broken.json")) && !fs::exists(at("good"))) {
            std::ofstream(shader) << good << "\n// edited\n";
            std::ofstream(at("good")) << "now";
        }
        return false;
    };
    expectSuccess(splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "320x200", "--shaders", at("shaders")},
                              {.interruptWhen = edit}));
    const json broken = readReport("broken.json"), fine = readReport("good.json");
    EXPECT_TRUE(broken.at("problem").get<bool>());
    EXPECT_NE(broken.at("notice").get<std::string>().find(shader.filename().string()), std::string::npos) << broken.at("notice");
    EXPECT_EQ(readImage(at("broken.png")).pixels, readImage(at("before.png")).pixels);
    EXPECT_FALSE(fine.at("problem").get<bool>()) << fine.at("notice");
    EXPECT_NE(fine.at("notice").get<std::string>().find("1 shaders compiled anew"), std::string::npos) << fine.at("notice");
}

INSTANTIATE_TEST_SUITE_P(Shaders, EditedShader, testing::Values("viewer/finish_picture.slang", "screen/paint.slang"));

TEST_F(Viewer, FliesAlongAPathAndSavesItsPictures) {
    expectSuccess(play(openSplats() + "key Tab\nkey K\norbit 40 0\nkey K\nrender_path " + at("path").string() + " 5\n"));
    std::set<std::vector<uint8_t>> pictures;
    for (int i = 0; i < 5; ++i) pictures.insert(readImage(at("path") / ("0000" + std::to_string(i) + ".png")).pixels);
    EXPECT_EQ(pictures.size(), 5u);
}

TEST_F(Viewer, GarbageIsSaidAndTheViewerGoesOn) {
    const fs::path garbage = scratch.write("garbage.ply", std::string("ply\nnonsense"));
    expectSuccess(play(openSplats() + "try open " + garbage.string() + "\nwait picture\n" + writeReport()));
    const json found = readReport();
    EXPECT_EQ(found.at("models").size(), 1u);
    EXPECT_TRUE(found.at("problem").get<bool>());
    EXPECT_NE(found.at("notice").get<std::string>().find("garbage.ply"), std::string::npos);
}

TEST_F(Viewer, AnEmptyFolderIsNoDataset) {
    fs::create_directories(at("empty"));
    expectSuccess(play("try open " + at("empty").string() + "\nwait frames 2\n" + writeReport()));
    EXPECT_TRUE(readReport().at("problem").get<bool>());
}

TEST_F(Viewer, MistakesInScriptsAreNamedByLine) {
    expectFailure(play("orbit 1 2\njump 3\n"), 2, {"script.txt:2: ", "unknown action 'jump'"});
    expectFailure(play("orbit 1\n"), 2, {"script.txt:1: ", "the tilt is missing"});
    expectFailure(play("picture\n"), 2, {"script.txt:1: "});
    expectFailure(play("set size_scale 99\n"), 2, {"script.txt:1: ", "size_scale"});
    expectFailure(play("save x.ply\n"), 2, {"script.txt:1: ", "no model is selected"});
    expectFailure(play("key Ctrl+J\n"), 2, {"script.txt:1: ", "Ctrl+J"});
    expectFailure(splatwright({"view", "--headless", "--script", at("none.txt")}), 2, {"none.txt"});
    expectFailure(play("quit\n", {splats, "--train"}), 2, {"--train", "dataset"});
}

TEST_F(Viewer, WithoutADisplayItSaysSo) {
    const Outcome run = splatwright({"view", splats}, {.environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}});
    expectFailure(run, 1, {"no window can be opened", "--headless"});
}

TEST_F(Viewer, WithoutAWindowTheScreenIsTheSame) {
    size = "640x400";
    const std::string script =
        openSplats() + "key Tab\norbit 20 5\nkey Tab\nkey F1\nwait picture\nwait frames 3\nkey F1\nkey Tab\nwait picture\nscreenshot ";
    expectSuccess(play(script + at("window.png").string() + "\n", {"--validate"}));
    std::ofstream(at("script.txt")) << script << at("headless.png").string() << "\n";
    expectSuccess(splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "640x400", "--validate"},
                              {.environment = {{"DISPLAY", ""}}}));
    const Image8 window = readImage(at("window.png"));
    EXPECT_EQ(window.width, 640);
    EXPECT_EQ(window.height, 400);
    EXPECT_GT(coloursOf(window), 20u);
    EXPECT_EQ(window.pixels, readImage(at("headless.png")).pixels);
}

TEST_F(Viewer, AnIdleWindowDrawsNothing) {
    expectSuccess(play(openSplats() + "wait picture\nwait seconds 1\n" + writeReport("before.json") + "wait seconds 2\n" +
                       writeReport("after.json")));
    const auto frames = [&](const char* name) { return readReport(name).at("frames").get<int>(); };
    EXPECT_LE(frames("after.json") - frames("before.json"), 8);  // those that follow a script's line
}

TEST_F(Viewer, ALostDeviceEndsItWithAMessage) {
    const Outcome run =
        play(openSplats() + "wait picture\norbit 5 5\nwait picture\norbit 5 5\nwait picture\nwait frames 50\n", {"--lose-device-at", "60"});
    expectFailure(run, 1, {"device lost"});
}

}  // namespace
}  // namespace splat
