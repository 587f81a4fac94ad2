// Two pictures in the viewer: divided, blinking, side by side, their difference, and their scores.
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/evaluate/flip.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/view/render_modes.h>
#include "viewer_script.h"

namespace splat {
namespace {

using namespace test;

constexpr int kBelowLabels = 40;  // pixels from the top

struct ViewerComparing : ViewerScript {
    Outcome follow(const std::string& script) const {
        std::ofstream(at("script.txt")) << "key Tab\n" << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "320x200", "--validate"});
    }
    /// A model, and the same elsewhere.
    std::string openTwo() const {
        const fs::path other = scratch.write("b.ply", kSplatSamples.at("PLY")().back().content);
        return openSplats() + "open " + other.string() + "\nmodel b\nplace 0.1 0.05 0 0 20 0 1\n";
    }
    std::string screenshot(const std::string& name) const { return "screenshot " + at(name).string() + "\n"; }
    /// Both pictures alone: the one that shows, and the other.
    std::string screenshotsOfBoth() const {
        return "compare_layout blink\nblink_seconds 0\n" + screenshot("first.png") + "exchange_compared\n" + screenshot("second.png") +
               "exchange_compared\n";
    }
    Image8 picture(const std::string& name) const { return readImage(at(name)); }
    json comparison(const std::string& name = "report.json") const { return readReport(name).at("comparison"); }
};

/// Whether two images are equal below the labels, in columns from `begin` to before `end`; `shift` columns to the right in the second.
bool areEqual(const Image8& a, const Image8& b, int begin, int end, int shift = 0) {
    for (int y = kBelowLabels; y < a.height; ++y)
        for (int x = begin; x < end; ++x)
            if (!std::ranges::equal(a.at(x, y), b.at(x + shift, y))) return false;
    return true;
}

TEST_F(ViewerComparing, ADividerShowsAModelAtEachOfItsSides) {
    expectSuccess(follow(openTwo() + "compare model b\ndivider 0.25\n" + screenshot("divided.png") + "exchange_compared\n" +
                         screenshot("exchanged.png") + "compare nothing\nvisible 0\n" + screenshot("a.png") +
                         "visible 1\nmodel a\nvisible 0\n" + screenshot("b.png")));
    const Image8 divided = picture("divided.png"), exchanged = picture("exchanged.png"), a = picture("a.png"), b = picture("b.png");
    ASSERT_EQ(divided.width, 320);
    EXPECT_FALSE(areEqual(a, b, 0, 320));
    EXPECT_TRUE(areEqual(divided, a, 0, 72));
    EXPECT_TRUE(areEqual(divided, b, 88, 320));
    EXPECT_TRUE(areEqual(exchanged, b, 0, 72));
    EXPECT_TRUE(areEqual(exchanged, a, 88, 320));
}

TEST_F(ViewerComparing, TheDividerIsDraggedAndTheViewStays) {
    expectSuccess(follow(openTwo() + "compare model b\n" + writeReport("before.json") + "drag 50% 80% 80% 80%\n" +
                         writeReport("after.json") + "drag 50% 80% 60% 80%\n" + writeReport("orbited.json")));
    EXPECT_NEAR(comparison("after.json").at("divider").get<double>(), 0.8, 0.01);
    EXPECT_EQ(readReport("before.json").at("camera").at("eye"), readReport("after.json").at("camera").at("eye"));
    EXPECT_NEAR(comparison("orbited.json").at("divider").get<double>(), 0.8, 0.01);
    EXPECT_NE(readReport("before.json").at("camera").at("eye"), readReport("orbited.json").at("camera").at("eye"));
}

TEST_F(ViewerComparing, CamerasBesideEachOtherAreOne) {
    expectSuccess(follow(openTwo() + "compare mode colour\ncompare_layout side_by_side\norbit 25 10\n" + screenshot("same.png") +
                         "compare model b\n" + screenshot("models.png") + screenshotsOfBoth() + writeReport()));
    const Image8 same = picture("same.png"), models = picture("models.png");
    EXPECT_TRUE(areEqual(same, same, 0, 160, 160));
    EXPECT_FALSE(areEqual(models, models, 0, 160, 160));
    EXPECT_EQ(comparison().at("names"), json({"a", "b"}));
}

TEST_F(ViewerComparing, ScoresAreThoseOfThePicturesThatShow) {
    expectSuccess(follow(openTwo() + "compare model b\nwait scores\n" + writeReport() + screenshotsOfBoth() + "orbit 30 0\nwait scores\n" +
                         writeReport("orbited.json") + "compare mode colour\nwait scores\n" + writeReport("same.json")));
    const Image8 first = picture("first.png"), second = picture("second.png");
    const json found = comparison();
    // Screenshots have the label of a picture, which the scores have not.
    EXPECT_NEAR(found.at("psnr").get<double>(), psnr(first, second), 0.5);
    EXPECT_NEAR(found.at("ssim").get<double>(), ssim(first, second), 0.02);
    EXPECT_NEAR(found.at("flip").get<double>(), flip(FlipImage(first), FlipImage(second)), 0.02);
    EXPECT_NE(comparison("orbited.json").at("psnr"), found.at("psnr"));
    EXPECT_EQ(comparison("same.json").at("flip"), 0);
    EXPECT_EQ(comparison("same.json").at("ssim"), 1);
    EXPECT_TRUE(comparison("same.json").at("psnr").is_null()) << "infinite";
}

TEST_F(ViewerComparing, TheDifferenceIsThatOfBothPictures) {
    expectSuccess(follow(openTwo() + "compare model b\ndifference_end 0.5\n" + screenshotsOfBoth() +
                         "compare_layout difference\nwait picture\n" + screenshot("difference.png") + "compare_layout flip\nwait scores\n" +
                         screenshot("flip.png")));
    const Image8 first = picture("first.png"), second = picture("second.png"), difference = picture("difference.png");
    size_t coloured = 0;
    for (int y = kBelowLabels; y < 120; ++y) {  // the legend is below
        for (int x = 0; x < first.width; ++x) {
            int sum = 0;
            for (size_t c = 0; c < 3; ++c) sum += std::abs(int{first.at(x, y)[c]} - int{second.at(x, y)[c]});
            const glm::vec3 wanted = mappedColour(sum / (3 * 255.0) / 0.5, "inferno");
            for (size_t c = 0; c < 3; ++c)
                ASSERT_NEAR(difference.at(x, y)[c], static_cast<double>(wanted[static_cast<int>(c)]) * 255, 1.01) << x << "," << y;
            coloured += sum > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(coloured, 100u);
    EXPECT_GT(coloursOf(picture("flip.png")), 50u);
    EXPECT_FALSE(areEqual(difference, picture("flip.png"), 0, 320));
}

/// The buffer of a difference grows with the screen, while the one before may still be shown.
TEST_F(ViewerComparing, ADifferenceGrowsWithTheScreen) {
    expectSuccess(
        follow(openTwo() + "compare model b\ncompare_layout difference\nwait picture\nwait frames 2\nresize 420 300\nwait frames 2\n" +
               "wait picture\n" + screenshot("large.png") + "resize 200 100\nwait frames 2\nwait picture\n" + screenshot("small.png")));
    EXPECT_EQ(picture("large.png").width, 420);
    EXPECT_GT(coloursOf(picture("large.png")), 50u);
    EXPECT_GT(coloursOf(picture("small.png")), 20u);
}

/// The part of a screenshot that has the picture; what is beside it is black.
Image8 pictureIn(const Image8& screen, const json& report) {
    const json& at = report.at("picture");
    const int left = at.at("low")[0], top = at.at("low")[1];
    Image8 part(at.at("width"), at.at("height"), 3);
    for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x) std::ranges::copy(screen.at(left + x, top + y), part.at(x, y).begin());
    return part;
}

TEST_F(ViewerComparing, APhotographIsComparedInItsView) {
    const fs::path data = tinyDataset(scratch);
    const std::string name = loadDataset(data).views.front().name;
    expectSuccess(follow("train_set init random\ntrain_set init_count 60\nopen " + data.string() +
                         "\nwait phase ready\ncompare ground_truth\n" + writeReport("free.json") + "view " + name + "\nwait scores\n" +
                         writeReport() + screenshotsOfBoth() + "key P\n" + writeReport("beside.json") + "key P\n" +
                         writeReport("off.json")));
    EXPECT_FALSE(comparison("free.json").at("shown").get<bool>()) << "no view of the dataset";
    EXPECT_TRUE(comparison().at("shown").get<bool>());
    const Image8 first = pictureIn(picture("first.png"), readReport()), second = pictureIn(picture("second.png"), readReport());
    EXPECT_NEAR(comparison().at("psnr").get<double>(), psnr(first, second), 0.5) << "they have labels";
    EXPECT_EQ(comparison("beside.json").at("layout"), "side_by_side");
    EXPECT_TRUE(comparison("beside.json").at("shown").get<bool>());
    EXPECT_EQ(comparison("off.json").at("with"), "nothing");
}

TEST_F(ViewerComparing, TheKeyChoosesWhatThereIs) {
    expectSuccess(follow(openSplats() + "key Y\n" + writeReport("one.json") + "key Y\n" + writeReport("off.json") + openTwo() + "key Y\n" +
                         writeReport("two.json") + "key Shift+Y\n" + writeReport("next.json") +
                         "try compare model nobody\ntry compare_layout up\ntry compare sideways\n" + writeReport("refused.json")));
    EXPECT_EQ(comparison("one.json").at("with"), "mode");
    EXPECT_EQ(comparison("off.json").at("with"), "nothing");
    EXPECT_EQ(comparison("two.json").at("with"), "model");
    EXPECT_EQ(comparison("two.json").at("layout"), "divider");
    EXPECT_EQ(comparison("next.json").at("layout"), "blink");
    EXPECT_TRUE(readReport("refused.json").at("problem").get<bool>());
    EXPECT_EQ(comparison("refused.json").at("with"), "model");
}

}  // namespace
}  // namespace splat
