// What a desktop does to the viewer's window, and what the viewer makes of it.
#include <cmath>

#include "../support/two_devices.h"
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

glm::uvec2 screenOf(const json& report) {
    return {report.at("screen").at("width").get<uint32_t>(), report.at("screen").at("height").get<uint32_t>()};
}

std::vector<double> eyeOf(const json& report) { return report.at("camera").at("eye"); }
std::vector<double> targetOf(const json& report) { return report.at("camera").at("target"); }

double distanceOf(const json& report) {
    const auto eye = eyeOf(report), target = targetOf(report);
    return std::hypot(eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]);
}

int framesOf(const json& report) { return report.at("frames"); }

// --- size -----------------------------------------------------------------------------------------

TEST_F(Window, ShowsTheSplatsAtEverySizeThatItIsGiven) {
    const std::vector<glm::uvec2> sizes{{640, 400}, {1000, 700}, {300, 200}, {1, 1}, {800, 3}, {640, 400}};
    std::vector<Act> acts;
    for (size_t i = 0; i < sizes.size(); ++i) {
        const std::string name = std::to_string(i) + ".png";
        acts.push_back({(i == 0 ? openSplats() + "key Tab\n" : "") + screenshot(name), [this, name, i, &sizes](Desktop& desktop) {
                            expectShown(desktop, name);
                            if (i + 1 < sizes.size()) desktop.resize(sizes[i + 1].x, sizes[i + 1].y);
                        }});
    }
    expectSuccess(perform(acts));
    for (size_t i = 0; i < sizes.size(); ++i) {
        const Image8 shown = readImage(at(std::to_string(i) + ".png"));
        EXPECT_EQ(screenOf(report(i)), sizes[i]);
        EXPECT_EQ(glm::uvec2(shown.width, shown.height), sizes[i]);
        EXPECT_GT(coloursOf(shown), shown.height > 100 ? 20u : 0u);
    }
    EXPECT_EQ(readImage(at("0.png")).pixels, readImage(at("5.png")).pixels);
}

TEST_F(Window, FollowsAHandThatPullsAtItsFrame) {
    const auto pull = [](Desktop& desktop) {
        for (uint32_t i = 0; i < 200; ++i) {
            desktop.resize(400 + 3 * (i % 100), 500 - 2 * (i % 130));
            std::this_thread::sleep_for(std::chrono::milliseconds(i % 4));
        }
        desktop.resize(512, 384);
    };
    expectSuccess(perform({{openSplats() + "key Tab\nwait picture", pull},
                           {"wait frames 3\n" + screenshot("after.png"), [&](Desktop& d) { expectShown(d, "after.png"); }}}));
    EXPECT_EQ(screenOf(report(1)), glm::uvec2(512, 384));
}

TEST_F(Window, GoesOnWithAnotherSurfaceWhenItsOwnIsLost) {
    size = "300x200";
    for (const char* call : {"31", "32"}) {  // images are acquired and shown by turns
        const Outcome run =
            perform({{openSplats() + "key Tab\n" + screenshot("before.png"), [&](Desktop& d) { expectShown(d, "before.png"); }},
                     {"orbit 20 0\nwait frames 30\norbit -20 0\n" + screenshot("after.png"),
                      [&](Desktop& desktop) { expectShown(desktop, "after.png"); }}},
                    {"--validate", "--verbose", "--lose-surface-at", call});
        expectSuccess(run);
        expectParts(run.err, {"the window's surface is lost"});
        EXPECT_GT(coloursOf(readImage(at("after.png"))), 20u);
        EXPECT_EQ(readImage(at("after.png")).pixels, readImage(at("before.png")).pixels);
    }
}

TEST_F(Window, DrawsNothingWhileItIsMinimisedAndTrainsOn) {
    size = "300x200";
    const auto minimise = [](Desktop& desktop) { desktop.minimise(); };
    const auto restore = [](Desktop& desktop) { desktop.restore(); };
    expectSuccess(perform({{openDataset() + "key T\nwait step 5", minimise},
                           {"wait seconds 0.3\n", {}},
                           {"orbit 20 0\nwait step 60", restore},
                           {"key T\nwait phase paused\nkey Tab\n" + screenshot("restored.png"),
                            [&](Desktop& desktop) { expectShown(desktop, "restored.png"); }}}));
    EXPECT_EQ(framesOf(report(2)), framesOf(report(1)));
    EXPECT_GE(report(2).at("training").at("step"), 60);
    EXPECT_GT(framesOf(report(3)), framesOf(report(2)));
    EXPECT_GT(coloursOf(readImage(at("restored.png"))), 20u);
}

TEST_F(Window, SleepsWhileItIsMinimised) {
    expectSuccess(perform(
        {{openSplats() + "wait picture", [](Desktop& desktop) { desktop.minimise(); }}, {"orbit 20 0", {}}, {"wait seconds 1", {}}}));
    EXPECT_LT(report(2).at("cpu_ms").get<double>() - report(1).at("cpu_ms").get<double>(), 300);
}

// --- devices --------------------------------------------------------------------------------------

TEST_F(Window, OpensOnTheSecondDeviceToo) {
    size = "300x200";
    const RunOptions machine{.environment = {{"VK_ICD_FILENAMES", twoDevices(scratch)}}, .choosesDevice = true};
    std::set<std::vector<uint8_t>> pictures;
    for (const std::string device : {"0", "1"}) {
        const std::string name = "device" + device + ".png";
        expectSuccess(perform({{openSplats() + "key Tab\n" + screenshot(name), [&](Desktop& desktop) { expectShown(desktop, name); }}},
                              {"--validate", "--device", device}, machine));
        EXPECT_EQ(std::to_string(report(0).at("device").at("index").get<int>()), device);
        pictures.insert(readImage(at(name)).pixels);
    }
    EXPECT_EQ(pictures.size(), 1u);
    expectFailure(play("quit\n", {"--device", "none such"}, machine), 2, {"--device: 'none such' was not found", "0 (", "1 ("});
}

// --- the end --------------------------------------------------------------------------------------

struct Closing : Window {
    Clock::time_point asked;

    /// Closes the window after a part of a script that never ends by itself.
    void expectPromptEnd(const std::string& script, const std::function<void(Desktop&)>& before = {}) {
        const auto close = [&](Desktop& desktop) {
            if (before) before(desktop);
            asked = Clock::now();
            desktop.close();
        };
        expectSuccess(perform({{script, close}, {"wait file never", {}}}));
        EXPECT_LT(Clock::now() - asked, std::chrono::seconds(10));
    }
};

TEST_F(Closing, EndsWhenIdle) { expectPromptEnd(openSplats() + "wait picture"); }

TEST_F(Closing, EndsWhileTraining) { expectPromptEnd(openDataset() + "key T\nwait step 10"); }

TEST_F(Closing, EndsWhileMinimised) {
    expectPromptEnd(openSplats() + "wait picture", [](Desktop& desktop) { desktop.minimise(); });
}

TEST_F(Closing, EndsWhileAFileIsRead) {
    std::string ply = "ply\nformat ascii 1.0\nelement vertex 200000\n";
    for (const char* name :
         {"x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"})
        ply += "property float " + std::string(name) + "\n";
    ply.replace(ply.find("ascii"), 5, "binary_little_endian");
    const fs::path large = scratch.write("large.ply", ply + "end_header\n" + std::string(size_t{200'000} * 14 * 4, '\0'));
    expectPromptEnd("", [&](Desktop& desktop) { EXPECT_TRUE(desktop.drop({large})); });
}

// --- files that are dropped -----------------------------------------------------------------------

TEST_F(Window, OpensWhatIsDroppedOnIt) {
    size = "300x200";
    const fs::path strange = at("100% of it, größer & #1.ply");
    fs::copy(splats, strange);
    const fs::path data = tinyDataset(scratch, "a dataset");
    const auto drop = [](const std::vector<fs::path>& files) { return [files](Desktop& desktop) { EXPECT_TRUE(desktop.drop(files)); }; };
    expectSuccess(perform({{"", drop({strange})},
                           {"wait picture", drop({splats, strange})},
                           {"wait picture", drop({scratch.write("garbage.ply", "ply\nnonsense")})},
                           {"wait picture", drop({at("nowhere.ply"), splats})},
                           {"wait picture", drop({data})},
                           {"wait phase ready\nwait picture\nwait frames 3", {}}}));
    EXPECT_EQ(report(1).at("models").size(), 1u) << report(1).at("notice");
    EXPECT_EQ(report(1).at("models")[0].at("name"), strange.stem().string());
    EXPECT_EQ(report(2).at("models").size(), 3u) << report(2).at("notice");
    EXPECT_FALSE(report(2).at("problem").get<bool>());
    EXPECT_EQ(report(3).at("models").size(), 3u);
    EXPECT_TRUE(report(3).at("problem").get<bool>());
    expectParts(report(3).at("notice"), {"garbage.ply"});
    EXPECT_EQ(report(4).at("models").size(), 4u);
    EXPECT_EQ(report(5).at("training").at("phase"), "ready") << report(5).at("notice");
}

// --- pointer and keys -----------------------------------------------------------------------------

TEST_F(Window, ADragTurnsTheCameraAndTheWheelComesNearer) {
    expectSuccess(perform({{openSplats() + "key Tab\nwait picture", [](Desktop& desktop) { desktop.movePointer(300, 200); }},
                           {"wait frames 2", [](Desktop& desktop) { desktop.pressButton(1); }},
                           {"wait frames 2", [](Desktop& desktop) { desktop.movePointer(360, 200); }},
                           {"wait frames 2", [](Desktop& desktop) { desktop.releaseButton(1); }},
                           {"wait frames 2", [](Desktop& desktop) { desktop.movePointer(200, 100); }},
                           {"wait frames 2", [](Desktop& desktop) { desktop.turnWheel(3); }},
                           {"wait frames 2", {}}}));
    EXPECT_EQ(eyeOf(report(0)), eyeOf(report(2))) << "a button alone moves nothing";
    EXPECT_NE(eyeOf(report(3)), eyeOf(report(2)));
    EXPECT_EQ(targetOf(report(3)), targetOf(report(2)));
    EXPECT_EQ(eyeOf(report(5)), eyeOf(report(4))) << "the button was let go";
    EXPECT_NEAR(distanceOf(report(6)) / distanceOf(report(5)), std::pow(0.87, 3), 1e-3);
}

TEST_F(Window, KeysActWithAndWithoutModifiers) {
    expectSuccess(perform({{openSplats() + "wait picture", [](Desktop& desktop) { desktop.type("Tab"); }},
                           {"wait frames 2\nwait picture", [](Desktop& desktop) { desktop.type("a", true); }},
                           {"wait frames 2\nwait picture", {}}}));
    EXPECT_EQ(report(1).at("picture").at("width"), 640);
    EXPECT_LT(report(0).at("picture").at("width"), 640) << "panels take their part";
    EXPECT_EQ(report(1).at("marks").at("selected"), 0);
    EXPECT_EQ(report(2).at("marks").at("selected"), report(2).at("models")[0].at("splats"));
}

TEST_F(Window, AKeyThatIsHeldFliesUntilAnotherWindowGetsTheFocus) {
    size = "300x200";
    expectSuccess(perform({{openSplats() + "key Tab\nwait picture", [](Desktop& desktop) { desktop.focus(); }},
                           {"wait frames 2", [](Desktop& desktop) { desktop.press("w"); }},
                           {"wait frames 5", [](Desktop& desktop) { desktop.unfocus(); }},
                           {"wait seconds 0.2", {}},
                           {"wait seconds 0.3", [](Desktop& desktop) { desktop.focus(); }},
                           {"wait frames 5", {}}}));
    EXPECT_NE(eyeOf(report(2)), eyeOf(report(1)));
    EXPECT_EQ(eyeOf(report(4)), eyeOf(report(3)));
    EXPECT_EQ(eyeOf(report(5)), eyeOf(report(4)));
}

}  // namespace
}  // namespace splat
