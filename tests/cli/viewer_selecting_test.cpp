// Tools that select, the histogram, and what is done with a selection: lock, separate, save.
#include <numeric>

#include "sheet.h"
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

struct ViewerSelecting : ViewerScript {
    ViewerSelecting() { writeSheet(at("sheet.ply")); }

    const size_t all = kSheetSide * kSheetSide;

    Outcome follow(const std::string& script) const {
        std::ofstream(at("script.txt")) << "open " << at("sheet.ply").string() << "\nwait picture\nwait frames 3\n" << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "960x640", "--validate"});
    }
    uint32_t selected(const std::string& name) const { return readReport(name).at("marks").at("selected"); }
    std::vector<uint32_t> bars(const std::string& name, const char* which) const { return readReport(name).at("histogram").at(which); }
    uint32_t sum(const std::string& name, const char* which) const {
        const auto counts = bars(name, which);
        return std::accumulate(counts.begin(), counts.end(), 0u);
    }
};

TEST_F(ViewerSelecting, APolygonIsClickedAndClosedByEnterOrADoubleClick) {
    const std::string corners = "polygon\nclick 2% 2%\nclick 98% 2%\nclick 98% 98%\n";
    expectSuccess(follow("key X\ndrag 2% 2% 98% 98%\n" + writeReport("rectangle.json") + corners + "click 2% 98%\nkey Enter\n" +
                         writeReport("enter.json") + "key Ctrl+A\nkey Ctrl+Shift+A\n" + corners + "double_click 2% 98%\n" +
                         writeReport("double.json") + corners + "key Escape\nkey O\ntry key Enter\n" + writeReport("none.json")));
    EXPECT_GT(selected("rectangle.json"), 0u);
    EXPECT_EQ(selected("enter.json"), selected("rectangle.json"));
    EXPECT_EQ(selected("double.json"), selected("rectangle.json"));
    EXPECT_TRUE(readReport("none.json").at("problem").get<bool>());
}

TEST_F(ViewerSelecting, AFingersRectangleEndsWhereItIsReleased) {
    expectSuccess(follow("key X\ndrag 10% 10% 60% 60%\n" + writeReport("pointer.json") +
                         "key Ctrl+A\nkey Ctrl+Shift+A\ntouch 10% 10% 60% 60%\n" + writeReport("finger.json")));
    EXPECT_GT(selected("pointer.json"), 0u);
    EXPECT_EQ(selected("finger.json"), selected("pointer.json"));
}

TEST_F(ViewerSelecting, AnEyedropperTakesSplatsOfSimilarColours) {
    std::string script = "eyedropper\n";
    for (const char* tolerance : {"0.01", "0.2", "1"})
        script += std::string("tolerance ") + tolerance + "\nclick 50% 50%\nwait picture\nwait frames 3\n" +
                  writeReport(std::string(tolerance) + ".json");
    expectSuccess(follow(script + "modifiers ctrl\nclick 50% 50%\nwait picture\nwait frames 3\n" + writeReport("removed.json")));
    EXPECT_EQ(selected("0.01.json"), kSheetSide) << "the row of the splat";
    EXPECT_GE(selected("0.2.json"), 7 * kSheetSide);
    EXPECT_LT(selected("0.2.json"), all);
    EXPECT_EQ(selected("1.json"), all);
    EXPECT_EQ(selected("removed.json"), 0u);
}

TEST_F(ViewerSelecting, AFloodTakesWhatIsBehindSimilarPixels) {
    expectSuccess(follow("flood\ntolerance 1\nclick 50% 50%\nwait frames 3\n" + writeReport("all.json") +
                         "tolerance 0.05\nclick 50% 50%\nwait frames 3\n" + writeReport("few.json")));
    EXPECT_EQ(selected("all.json"), all);
    EXPECT_GT(selected("few.json"), 0u);
    EXPECT_LT(selected("few.json"), all / 2);
}

TEST_F(ViewerSelecting, AShapeInTheSceneSelectsByEnterWithTheModifiersAsEverywhere) {
    expectSuccess(follow("select_sphere 0 0 0 0.5\n" + writeReport("typed.json") +
                         "key Ctrl+Shift+A\nplace_sphere 0 0 0 0.5\nsphere\nkey Enter\n" + writeReport("sphere.json") +
                         "place_sphere 0 0 0 1000\nkey Shift+Enter\n" + writeReport("added.json") +
                         "place_box 0 0 0 1000 1000 1000 0 30 0\nbox\nkey Ctrl+Enter\n" + writeReport("removed.json")));
    EXPECT_EQ(selected("sphere.json"), selected("typed.json"));
    EXPECT_EQ(selected("added.json"), all);
    EXPECT_EQ(selected("removed.json"), 0u);
}

TEST_F(ViewerSelecting, ItsHandlesMoveTheShapeAndNeitherModelNorCamera) {
    const std::string start = "key Tab\nsphere\nkey 3\nwait picture\nwait frames 3\n";
    expectSuccess(follow(start + writeReport("before.json") + "drag 50% 50% 60% 50%\nwait frames 3\n" + writeReport("after.json")));
    const json before = readReport("before.json"), after = readReport("after.json");
    EXPECT_NE(after.at("controls").at("volume"), before.at("controls").at("volume"));
    EXPECT_EQ(after.at("camera").at("eye"), before.at("camera").at("eye"));
    EXPECT_EQ(after.at("models"), before.at("models"));
}

TEST_F(ViewerSelecting, ALockedModelIsNotEdited) {
    expectSuccess(follow("lock 1\ntry key Ctrl+A\n" + writeReport("locked.json") + "all_models 1\nselect_opacity 0 1\n" +
                         writeReport("everywhere.json") + "lock 0\nselect_opacity 0 1\n" + writeReport("unlocked.json")));
    const json locked = readReport("locked.json");
    EXPECT_TRUE(locked.at("problem").get<bool>());
    EXPECT_NE(locked.at("notice").get<std::string>().find("locked"), std::string::npos);
    EXPECT_TRUE(locked.at("models")[0].at("locked").get<bool>());
    EXPECT_EQ(selected("everywhere.json"), 0u);
    EXPECT_EQ(selected("unlocked.json"), all);
}

TEST_F(ViewerSelecting, ASelectionBecomesAModelOfItsOwnOrAFile) {
    const std::string select = "select_opacity 0 0.5\n";
    expectSuccess(follow("place 1 2 3 0 90 0 2\n" + select + writeReport("selected.json") + "save_selection " + at("part.ply").string() +
                         "\nseparate\n" + writeReport("separated.json") + "save " + at("own.ply").string() + "\nkey Ctrl+Z\n" +
                         writeReport("undone.json") + "key Ctrl+Shift+A\ntry separate\n" + writeReport("nothing.json")));
    const uint32_t part = selected("selected.json");
    ASSERT_GT(part, 0u);
    ASSERT_LT(part, all);
    const json models = readReport("separated.json").at("models");
    ASSERT_EQ(models.size(), 2u);
    EXPECT_EQ(models[1].at("splats"), part);
    EXPECT_EQ(models[1].at("position"), models[0].at("position"));
    EXPECT_EQ(readReport("separated.json").at("marks").at("deleted"), part);
    EXPECT_EQ(readTextFile(at("part.ply")), readTextFile(at("own.ply"))) << "both are the selection in world space";
    EXPECT_EQ(readReport("undone.json").at("marks").at("deleted"), 0u);
    EXPECT_TRUE(readReport("nothing.json").at("problem").get<bool>());
}

TEST_F(ViewerSelecting, TheHistogramFollowsTheSelectionAndADragSelects) {
    const auto drag = [](const json& panel, double from, double to) {
        const double left = panel.at("low")[0], right = panel.at("high")[0], top = panel.at("low")[1];
        return fmt::format("drag {} {} {} {}\nwait picture\nwait frames 4\n", left + from * (right - left), top + 90,
                           left + to * (right - left), top + 90);
    };
    const std::string start = "histogram opacity\nwait frames 4\nwait picture\nwait frames 4\n";
    expectSuccess(follow(start + writeReport("first.json")));
    const json panel = readReport("first.json").at("panels").at("Histogram");
    ASSERT_TRUE(panel.at("shown").get<bool>());
    EXPECT_EQ(sum("first.json", "all"), all);
    EXPECT_EQ(sum("first.json", "selected"), 0u);
    EXPECT_GT(readReport("first.json").at("histogram").at("milliseconds"), 0);
    expectSuccess(follow(start + drag(panel, 0.04, 0.96) + writeReport("everything.json") + drag(panel, 0.6, 0.96) +
                         writeReport("upper.json") + "modifiers shift\n" + drag(panel, 0.04, 0.3) + writeReport("both.json") +
                         "modifiers ctrl\n" + drag(panel, 0.04, 0.96) + writeReport("none.json")));
    EXPECT_EQ(selected("everything.json"), all) << "the first and the last bin have what lies beyond";
    EXPECT_EQ(sum("everything.json", "selected"), all);
    EXPECT_LT(selected("upper.json"), all);
    EXPECT_EQ(sum("upper.json", "selected"), selected("upper.json"));
    EXPECT_GT(selected("both.json"), selected("upper.json"));
    EXPECT_EQ(selected("none.json"), 0u);
}

/// Deleted splats neither count as neighbours nor are selected again, and the selection is that of splats and not of their indices.
TEST_F(ViewerSelecting, FloatersAreFarFromTheirNeighbours) {
    Gaussians g = readSplats(at("sheet.ply"));
    for (const size_t i : {5u, 100u, 101u}) g.means[i] += glm::vec3(0, 0, 30);
    splatWriterByName("ply").write(at("sheet.ply"), g);
    expectSuccess(follow("select_floaters\n" + writeReport("found.json") + "key Delete\nselect_floaters\n" + writeReport("again.json") +
                         "select_floaters 1\n" + writeReport("corners.json") + "try select_rarely_seen\n" + writeReport("dataset.json") +
                         "key Ctrl+Shift+A\nsave " + at("kept.ply").string() + "\nopen " + at("sheet.ply").string() +
                         "\nwait picture\nselect_floaters\n" + writeReport("second.json")));
    EXPECT_EQ(selected("second.json"), 3u);
    EXPECT_EQ(selected("found.json"), 3u);
    EXPECT_EQ(selected("again.json"), 0u);
    EXPECT_GT(selected("corners.json"), 0u);
    EXPECT_LT(selected("corners.json"), all / 2);
    EXPECT_TRUE(readReport("dataset.json").at("problem").get<bool>());
    const Gaussians kept = readSplats(at("kept.ply"));
    EXPECT_EQ(kept.count(), all - 3);
    EXPECT_TRUE(std::ranges::none_of(kept.means, [](const glm::vec3& mean) { return mean.z > 20; }));
}

TEST_F(ViewerSelecting, WhatFewViewsShowIsSelected) {
    const fs::path data = tinyDataset(scratch);
    expectSuccess(follow("train_set init random\ntrain_set init_count 60\nopen " + data.string() + "\nwait phase ready\nmodel sheet\n" +
                         "place 0 0 0 0 0 0 0.1\nselect_rarely_seen 0\n" + writeReport("seen.json") + "select_rarely_seen 1000000\n" +
                         writeReport("all.json") + "place 10000 0 0 0 0 0 1\nselect_rarely_seen\n" + writeReport("away.json")));
    EXPECT_LT(selected("seen.json"), all / 2) << "most splats are in the middle of the views";
    EXPECT_EQ(selected("all.json"), all);
    EXPECT_EQ(selected("away.json"), all) << "far from all views";
}

TEST_F(ViewerSelecting, ScriptsSelectByEveryQuantityThatIsKnown) {
    expectSuccess(follow("select_values opacity 0 1\n" + writeReport("opacity.json") + "select_values scale 0 1e6\n" +
                         writeReport("scale.json") + "select_values sh-energy 0 1e6\n" + writeReport("energy.json") +
                         "select_values radius 0 1e6\n" + writeReport("radius.json") + "try select_values error 0 1\n" +
                         writeReport("error.json") + "try select_values nothing 0 1\n" + writeReport("unknown.json")));
    for (const char* name : {"opacity.json", "scale.json", "energy.json"}) EXPECT_EQ(selected(name), all) << name;
    EXPECT_GT(selected("radius.json"), 0u);
    EXPECT_LE(selected("radius.json"), all);
    EXPECT_TRUE(readReport("error.json").at("problem").get<bool>());
    EXPECT_TRUE(readReport("unknown.json").at("problem").get<bool>());
}

}  // namespace
}  // namespace splat
