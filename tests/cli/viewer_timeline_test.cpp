// The camera path: its keys, their times, and cameras of files.
#include <splatwright/scene/datasets/camera_lists.h>
#include <splatwright/scene/images/image_file.h>
#include "sheet.h"
#include "viewer_script.h"

namespace splat {
namespace {

using namespace test;

struct ViewerTimeline : ViewerScript {
    ViewerTimeline() { writeSheet(at("sheet.ply")); }

    Outcome follow(const std::string& script, const std::string& pixels = "320x200") const {
        std::ofstream(at("script.txt")) << "open " << at("sheet.ply").string() << "\nwait picture\n" << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", pixels, "--validate"});
    }
    static std::string keys() { return "camera 0 0 -4 0 0 0\nkey K\ncamera 2 0 -4 0 0 0\nkey K\ncamera 2 -2 -3 0 0 0\nkey K\n"; }
    json controls(const std::string& report) const { return readReport(report).at("controls"); }
    double eyeX(const std::string& report) const { return readReport(report).at("camera").at("eye")[0]; }
};

TEST_F(ViewerTimeline, KeysAreMovedReplacedAndRemoved) {
    expectSuccess(follow(keys() + writeReport("three.json") + "move_key 2 1\n" + writeReport("moved.json") + "go_to_key 1\n" +
                         writeReport("first.json") + "camera 1 0 -4 0 0 0\nreplace_key\ngo_to_key 3\ngo_to_key 1\n" +
                         writeReport("replaced.json") + "path_seconds 10\n" + writeReport("slow.json") + "remove_key 3\n" +
                         writeReport("two.json") + "try go_to_key 3\n" + writeReport("none.json")));
    EXPECT_EQ(controls("three.json").at("path_times"), (json{0, 2, 4}));
    EXPECT_EQ(controls("three.json").at("path_key"), 3);
    EXPECT_EQ(controls("moved.json").at("path_times"), (json{0, 1, 4}));
    EXPECT_NEAR(eyeX("first.json"), 0, 1e-9);
    EXPECT_NEAR(eyeX("replaced.json"), 1, 1e-9);
    EXPECT_EQ(controls("slow.json").at("path_times"), (json{0, 2.5, 10}));
    EXPECT_EQ(controls("two.json").at("path_times"), (json{0, 2.5}));
    EXPECT_TRUE(controls("two.json").at("path_key").is_null());
    EXPECT_TRUE(readReport("none.json").at("problem").get<bool>());
}

/// A key of the panel is dragged to the right, and a click on the track looks from between the keys.
TEST_F(ViewerTimeline, ThePanelMovesKeysAndTime) {
    expectSuccess(follow(
        keys() + "panel Timeline 1\nwait frames 4\n" + writeReport("panel.json") + "screenshot_panels " + at("panel.png").string() + "\n",
        "1280x800"));
    const json panel = readReport("panel.json").at("panels").at("Timeline");
    ASSERT_TRUE(panel.at("shown").get<bool>());
    const double left = panel.at("low")[0], right = panel.at("high")[0], top = panel.at("low")[1];
    const auto place = [&](double part) { return fmt::format("{} {}", left + part * (right - left), top + 100); };
    const std::string look = "panel Timeline 1\nwait frames 4\n";
    expectSuccess(follow(keys() + look + "click " + place(0.3) + "\nwait frames 4\n" + writeReport("clicked.json"), "1280x800"));
    EXPECT_GT(eyeX("clicked.json"), 0.01);
    EXPECT_LT(eyeX("clicked.json"), 1.99);
}

TEST_F(ViewerTimeline, CamerasOfFilesAreKeysAndKeysAreCameras) {
    std::string script = keys();
    for (const CameraList& list : cameraLists()) {
        const std::string file = at(list.name + std::string(".json")).string();
        script += "export_path " + file + " " + list.name + "\nclear_path\nimport_path " + file + "\n" + "go_to_key 2\n" +
                  writeReport(list.name + std::string("_report.json"));
    }
    expectSuccess(follow(script + "export_path " + at("along.json").string() + " cameras 9\ntry import_path " + at("sheet.ply").string() +
                         "\n" + writeReport("refused.json")));
    for (const CameraList& list : cameraLists()) {
        const std::string report = list.name + std::string("_report.json");
        EXPECT_EQ(controls(report).at("path_keys"), 3) << list.name;
        EXPECT_NEAR(eyeX(report), 2, 1e-6) << list.name;
        EXPECT_NEAR(readReport(report).at("camera").at("eye")[2].get<double>(), -4, 1e-6) << list.name;
    }
    EXPECT_EQ(readCameraList(at("along.json")).size(), 9u);
    EXPECT_TRUE(readReport("refused.json").at("problem").get<bool>());
    EXPECT_EQ(controls("refused.json").at("path_keys"), 3);
}

}  // namespace
}  // namespace splat
