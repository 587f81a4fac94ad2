// Checkpoints in the viewer: each is the model that its run would have saved.
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include "viewer_script.h"

namespace splat {
namespace {

using namespace test;

struct ViewerCheckpoints : ViewerScript {
    Outcome follow(const std::string& script) const {
        std::ofstream(at("script.txt")) << "key Tab\n" << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "320x200", "--validate"});
    }
    /// Every fourth step adds an SH degree.
    void train(int steps) const {
        Arguments settings;
        for (const char* value : {"init=random", "init_count=60", "filter_3d=true", "sh_degree_interval=4"})
            settings.insert(settings.end(), {"--set", value});
        run(steps, settings);
    }
    void resume(int steps) const { run(steps, {"--resume", checkpoint}); }
    void run(int steps, const Arguments& more) const {
        Arguments arguments{"train", data, "-o", out, "-q", "--steps", std::to_string(steps)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectSuccess(splatwright(arguments));
    }
    static void expectSame(const Gaussians& found, const Gaussians& expected) {
        EXPECT_EQ(found.shDegree, expected.shDegree);
        EXPECT_EQ(found.means, expected.means);
        EXPECT_EQ(found.rotations, expected.rotations);
        EXPECT_EQ(found.logScales, expected.logScales);
        EXPECT_EQ(found.logitOpacities, expected.logitOpacities);
        EXPECT_EQ(found.sh, expected.sh);
    }

    const fs::path data = tinyDataset(scratch);
    const fs::path out = at("run");
    const fs::path checkpoint = out / "checkpoint.splat-ckpt";
};

/// Bit for bit: with its 3D filter, in the dataset's frame, and with the SH degrees of its step. Then two of one run are compared.
TEST_F(ViewerCheckpoints, OpenAsTheirRunSavesThem) {
    train(6);
    fs::copy(checkpoint, at("early.splat-ckpt"));
    const Gaussians early = readSplats(out / "splats.ply");
    resume(16);
    const Gaussians late = readSplats(out / "splats.ply");
    ASSERT_LT(early.shDegree, late.shDegree);
    expectSuccess(follow("open " + at("early.splat-ckpt").string() + "\nsave " + at("early.ply").string() + "\nopen " +
                         checkpoint.string() + "\nsave " + at("late.ply").string() + "\ncompare model \"early of step 6\"\nwait scores\n" +
                         writeReport()));
    expectSame(readSplats(at("early.ply")), early);
    expectSame(readSplats(at("late.ply")), late);
    EXPECT_EQ(readReport().at("models")[1].at("name"), "run of step 16");
    EXPECT_GT(readReport().at("comparison").at("psnr").get<double>(), 10);
}

/// As flat Gaussians, which the GPU makes here and the host in the run's own file; picture.blobs is rounded.
TEST_F(ViewerCheckpoints, OfAPictureHoldItsBlobs) {
    Image8 stripes(40, 30, 3);
    for (size_t i = 0; i < stripes.pixels.size(); ++i) stripes.pixels[i] = static_cast<uint8_t>(i * 7 % 200);
    writePng(at("picture.png"), stripes);
    expectSuccess(splatwright({"fit", at("picture.png"), "-o", out, "-q", "--splats", "80", "--steps", "30"}));
    expectSuccess(follow("open " + checkpoint.string() + "\nsave " + at("saved.ply").string() + "\n"));
    const Gaussians found = readSplats(at("saved.ply")), expected = readSplats(out / "splats.ply");
    ASSERT_EQ(found.count(), expected.count());
    for (size_t i = 0; i < found.count(); ++i) {
        EXPECT_LT(glm::distance(found.means[i], expected.means[i]), 1e-4F) << i;
        EXPECT_LT(glm::distance(found.sh[i], expected.sh[i]), 1e-3F) << i;
        EXPECT_LT(glm::distance(found.logScales[i], expected.logScales[i]), 1e-2F) << i;
        EXPECT_NEAR(found.logitOpacities[i], expected.logitOpacities[i], 1e-3F) << i;
    }
}

TEST_F(ViewerCheckpoints, SayWhatIsWrong) {
    train(3);
    const std::string whole = readTextFile(checkpoint);
    std::ofstream(at("cut.splat-ckpt"), std::ios::binary) << whole.substr(0, whole.size() / 2);
    expectSuccess(follow("try open " + at("cut.splat-ckpt").string() + "\n" + writeReport()));
    EXPECT_TRUE(readReport().at("problem").get<bool>());
    expectParts(readReport().at("notice"), {"cut.splat-ckpt", "truncated"});
    EXPECT_TRUE(readReport().at("models").empty());
}

}  // namespace
}  // namespace splat
