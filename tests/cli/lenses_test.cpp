// Fisheyes and panoramas from the procedural dataset to rendered views.
#include <splatwright/scene/images/image_file.h>

#include "run.h"

namespace splat {
namespace {

using namespace test;

struct Lenses : testing::Test {
    /// A dataset of few views, trained for two steps.
    fs::path trained(const std::string& camera, const std::string& size) {
        expectSuccess(splatwright({"synth", data, "--camera", camera, "--views", "3", "--size", size, "-q"}));
        const fs::path config = scratch.write("config.json", R"({"steps": 2, "init": "random", "init_count": 100, "strategy": "fixed"})");
        expectSuccess(splatwright({"train", data, "-o", scratch.path() / "run", "--config", config}));
        return scratch.path() / "run/splats.ply";
    }

    Scratch scratch;
    fs::path data = scratch.path() / "data";
};

TEST_F(Lenses, FisheyesKeepTheBorderThatIsAskedFor) {
    const fs::path splats = trained("fisheye", "64x48");
    const auto widthOf = [&](const char* folder, Arguments more) {
        Arguments arguments{"render", splats, "--data", data, "--split", "test", "-o", scratch.path() / folder};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectSuccess(splatwright(arguments));
        return readImageHeader(scratch.path() / folder / "0000.png").size.width;
    };
    const int cropped = widthOf("cropped", {});
    EXPECT_GT(cropped, 64);
    EXPECT_EQ(widthOf("whole", {"--undistort-blank-pixels", "1"}), 128);
    EXPECT_EQ(widthOf("wider", {"--undistort-blank-pixels", "1", "--undistort-max-scale", "2.5"}), 160);
    expectSuccess(splatwright(
        {"train", data, "-o", scratch.path() / "masked", "--undistort-blank-pixels", "1", "--config", scratch.path() / "config.json"}));
    expectSuccess(splatwright({"eval", splats, data, "--undistort-blank-pixels", "1", "--json"}));
    expectFailure(splatwright({"train", data, "-o", scratch.path() / "a", "--undistort-blank-pixels", "1.1"}), 2,
                  {"--undistort-blank-pixels", "1.1", "0 to 1"});
    expectFailure(splatwright({"eval", splats, data, "--undistort-max-scale", "0.1"}), 2, {"--undistort-max-scale", "0.1", "0.2 to 16"});
}

TEST_F(Lenses, PanoramasAreSixViewsEach) {
    const fs::path splats = trained("equirectangular", "64x32");
    const json views = metricsOf(scratch.path() / "run").at("views");
    ASSERT_EQ(views.size(), 6u);
    EXPECT_EQ(views[0].at("name"), "0000.png/front");
    EXPECT_EQ(views[5].at("name"), "0000.png/down");
    expectSuccess(splatwright({"render", splats, "--data", data, "--split", "test", "-o", scratch.path() / "images"}));
    for (const char* face : {"front", "right", "back", "left", "up", "down"})
        EXPECT_EQ(readImageHeader(scratch.path() / fmt::format("images/0000.png_{}.png", face)).size, (ImageSize{20, 20}));
    expectFailure(splatwright({"synth", scratch.path() / "a", "--camera", "equirectangular", "--depths"}), 2, {"synth", "panoramas"});
    expectFailure(splatwright({"synth", scratch.path() / "a", "--camera", "round"}), 2, {"'round'", "equirectangular"});
}

}  // namespace
}  // namespace splat
