// Scene aids: grid, axes, orientation cube, and the tool that measures.
#include "sheet.h"
#include "window_acts.h"

namespace splat {
namespace {

using namespace test;

struct ViewerAids : ViewerScript {
    ViewerAids() { writeSheet(at("sheet.ply")); }

    Outcome follow(const std::string& script) const {
        std::ofstream(at("script.txt")) << "open " << at("sheet.ply").string() << "\nwait picture\nwait frames 3\n" << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "960x640", "--validate"});
    }
    std::string picture(const std::string& name) const { return "wait picture\nscreenshot_panels " + at(name).string() + "\n"; }
    json measured(const std::string& report) const { return readReport(report).at("controls").at("measured"); }
    glm::dvec3 eye(const std::string& report) const {
        const json eye = readReport(report).at("camera").at("eye");
        return {eye[0], eye[1], eye[2]};
    }
};

/// Pixels that differ by more than noise.
size_t changed(const Image8& a, const Image8& b) {
    EXPECT_EQ(a.pixels.size(), b.pixels.size());
    size_t count = 0;
    for (size_t i = 0; i + 2 < std::min(a.pixels.size(), b.pixels.size()); i += 3)
        if (std::abs(a.pixels[i] - b.pixels[i]) + std::abs(a.pixels[i + 1] - b.pixels[i + 1]) > 24) ++count;
    return count;
}

TEST_F(ViewerAids, ShowAndHideGridAxesAndCube) {
    std::string script = "key Tab\nwait frames 3\n" + picture("none.png");
    for (const std::string aid : {"grid", "axes", "orientation_cube"})
        script += aid + "\nwait frames 3\n" + picture(aid + ".png") + aid + "\nwait frames 3\n" + picture(aid + "_off.png");
    expectSuccess(follow(script + "grid\n" + writeReport()));
    const Image8 none = readImage(at("none.png"));
    for (const std::string aid : {"grid", "axes", "orientation_cube"}) {
        EXPECT_GT(changed(readImage(at(aid + ".png")), none), 100u) << aid;
        EXPECT_EQ(changed(readImage(at(aid + "_off.png")), none), 0u) << aid;
    }
    EXPECT_EQ(readReport().at("controls").at("aids"), (json{{"grid", true}, {"axes", false}, {"cube", false}}));
}

TEST_F(ViewerAids, AClickOnTheCubeLooksFromThatSideAndADragThereDoesNothing) {
    const std::string cube = "key Tab\norientation_cube\nview_from -z\nwait picture\n";
    expectSuccess(follow(cube + writeReport("front.json") + "orbit 50 10\nwait picture\n" + writeReport("turned.json") +
                         "drag 904 56 700 300\nwait picture\n" + writeReport("dragged.json") + "click 904 56\nwait picture\n" +
                         writeReport("clicked.json") + "try view_from north\n" + writeReport("unknown.json")));
    const json target = readReport("front.json").at("camera").at("target");
    const glm::dvec3 looked(target[0], target[1], target[2]);
    const glm::dvec3 away = eye("front.json") - looked;
    EXPECT_LT(away.z, 0);
    EXPECT_LT(std::abs(away.x) + std::abs(away.y), 1e-6 * glm::length(away));
    EXPECT_EQ(readReport("dragged.json").at("camera").at("eye"), readReport("turned.json").at("camera").at("eye"));
    EXPECT_NE(readReport("clicked.json").at("camera").at("eye"), readReport("turned.json").at("camera").at("eye"));
    const glm::dvec3 clicked = glm::abs(eye("clicked.json") - looked);
    EXPECT_NEAR(std::max({clicked.x, clicked.y, clicked.z}), glm::length(clicked), 1e-6) << "along an axis";
    EXPECT_TRUE(readReport("unknown.json").at("problem").get<bool>());
}

/// Columns of the sheet are 0.1 apart.
TEST_F(ViewerAids, TwoClicksMeasureAndAKnownLengthScalesTheModel) {
    const std::string look = "key Tab\ncamera 0 0 -4 0 0 0\nwait picture\n";
    expectSuccess(follow(look + "key J\nclick 50% 50%\nwait frames 3\n" + writeReport("one.json") + "click 60% 50%\nwait frames 3\n" +
                         writeReport("two.json") + "scale_to_length 8\nwait picture\n" + writeReport("scaled.json") + "key Ctrl+Z\n" +
                         writeReport("undone.json") + "try click 50% 1%\ntry wait frames 3\n" + writeReport("nothing.json")));
    EXPECT_EQ(measured("one.json").at("points").size(), 1u);
    EXPECT_TRUE(measured("one.json").at("distance").is_null());
    const double distance = measured("two.json").at("distance");
    const double height =
        2 * 4 * std::tan(25 * 3.14159265 / 180);  // of the picture at the sheet, whose side of 640 has a field of view of 50 degrees
    EXPECT_NEAR(distance, 0.1 * 960 / 640 * height, 0.02);
    EXPECT_NEAR(measured("scaled.json").at("distance").get<double>(), 8, 1e-6);
    EXPECT_NEAR(readReport("scaled.json").at("models")[0].at("scale").get<double>(), 8 / distance, 1e-4);
    EXPECT_EQ(readReport("undone.json").at("models")[0].at("scale"), 1.0);
    EXPECT_TRUE(readReport("nothing.json").at("problem").get<bool>()) << "no splat is there";
    EXPECT_EQ(measured("nothing.json").at("points").size(), 2u);
}

/// Behind, a distance covers fewer pixels in perspective and as many without; and a selection takes what the picture shows.
TEST_F(ViewerAids, OrthographicPicturesHaveTheSameScaleAtEveryDepth) {
    const std::string measure = "click 45% 50%\nwait frames 3\nclick 55% 50%\nwait frames 3\n";
    const auto far = [&](const std::string& name) {
        return "place 0 0 2 0 0 0 1\nwait picture\n" + measure + writeReport(name + "_far.json") + "place 0 0 0 0 0 0 1\nwait picture\n" +
               measure + writeReport(name + "_near.json");
    };
    expectSuccess(follow("key Tab\ncamera 0 0 -4 0 0 0\nmeasure\n" + far("perspective") + "key 5\nwait picture\n" + far("parallel") +
                         "key X\ndrag 45% 2% 55% 98%\n" + writeReport("selected.json")));
    const auto distance = [&](const std::string& name) { return measured(name + ".json").at("distance").get<double>(); };
    EXPECT_NEAR(distance("perspective_far") / distance("perspective_near"), 1.5, 0.02);
    EXPECT_NEAR(distance("parallel_far"), distance("parallel_near"), 0.005);
    EXPECT_NEAR(distance("parallel_near"), distance("perspective_near"), 0.005) << "the target keeps its scale";
    EXPECT_TRUE(readReport("selected.json").at("controls").at("orthographic").get<bool>());
    const double half = 0.5 * distance("parallel_near");  // of the rectangle's width, around the middle column
    const auto columns = 2 * static_cast<size_t>(half / 0.1) + 1;
    EXPECT_EQ(readReport("selected.json").at("marks").at("selected").get<size_t>() % columns, 0u);
    EXPECT_GT(readReport("selected.json").at("marks").at("selected").get<size_t>(), 0u);
}

/// Where there are no splats it is the picture's middle, as large as the view; values have none.
TEST_F(ViewerAids, APictureStandsBehindTheSplats) {
    Image8 halves(300, 100, 3);
    for (int y = 0; y < 100; ++y)
        for (int x = 0; x < 300; ++x) halves.at(x, y)[x < 150 ? 0 : 2] = 200;
    writePng(at("halves.png"), halves);
    const auto look = [&](const std::string& name) { return "wait picture\nscreenshot " + at(name).string() + "\n"; };
    expectSuccess(follow("key Tab\n" + look("none.png") + "background_picture " + at("halves.png").string() + "\n" +
                         look("halves_behind.png") + writeReport() + "resize 500 700\n" + look("tall.png") +
                         "resize 960 640\nrender_mode depth\n" + look("depth.png") + "render_mode colour\nremove_background_picture\n" +
                         look("removed.png") + "render_mode depth\n" + look("plain_depth.png") + "try background_picture " +
                         at("sheet.ply").string() + "\n" + writeReport("refused.json")));
    EXPECT_EQ(readReport().at("controls").at("background_picture"), "halves.png");
    const Image8 none = readImage(at("none.png")), behind = readImage(at("halves_behind.png")), tall = readImage(at("tall.png"));
    const auto colour = [](const Image8& image, double x, double y) {
        const auto pixel = image.at(static_cast<int>(x * image.width), static_cast<int>(y * image.height));
        return glm::ivec3(pixel[0], pixel[1], pixel[2]);
    };
    EXPECT_EQ(colour(none, 0.05, 0.05), glm::ivec3(0));
    for (const Image8* image : {&behind, &tall}) {
        EXPECT_EQ(colour(*image, 0.05, 0.05), glm::ivec3(200, 0, 0));
        EXPECT_EQ(colour(*image, 0.95, 0.95), glm::ivec3(0, 0, 200));
    }
    EXPECT_GT(changed(none, behind), none.pixels.size() / 9) << "around the sheet and through it";
    EXPECT_EQ(changed(readImage(at("removed.png")), none), 0u);
    EXPECT_EQ(changed(readImage(at("depth.png")), readImage(at("plain_depth.png"))), 0u);
    EXPECT_TRUE(readReport("refused.json").at("problem").get<bool>());
}

TEST_F(ViewerAids, WhatCannotBeScaledIsRefused) {
    expectSuccess(follow("try scale_to_length 2\n" + writeReport("none.json") + "measure_between 0 0 0 0 3 4\ntry scale_to_length 0\n" +
                         writeReport("zero.json") + "lock 1\ntry scale_to_length 2\n" + writeReport("locked.json") +
                         "lock 0\nscale_to_length 10\n" + writeReport("scaled.json")));
    for (const char* name : {"none.json", "zero.json", "locked.json"}) EXPECT_TRUE(readReport(name).at("problem").get<bool>()) << name;
    EXPECT_EQ(readReport("locked.json").at("models")[0].at("scale"), 1.0);
    EXPECT_EQ(readReport("scaled.json").at("models")[0].at("scale"), 2.0);
}

}  // namespace
}  // namespace splat
