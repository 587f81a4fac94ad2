// Films that `render` writes, as ffprobe and ffmpeg read them.
#include <splatwright/core/child_process.h>
#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include "reference/scenes.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

struct RenderFilm : testing::Test {
    const Scratch scratch;
    const reference::Scene scene = reference::makeMixedScene(60, 64, 48, 11);
    const fs::path splats = scratch.path() / "splats.ply", camera = scratch.path() / "camera.json", out = scratch.path() / "out";

    RenderFilm() { writePly(splats, scene.gaussians); }
    std::vector<std::string> render(Arguments more) const {
        more.insert(more.begin(), {"render", splats, "-o", out, "-q"});
        return more;
    }
    static std::string printed(const Arguments& arguments) {
        std::string text;
        const auto take = [&](std::span<const std::byte> bytes) { text += textOf(bytes); };
        EXPECT_TRUE(runChild({.arguments = arguments, .log = {}, .onOutput = take}).succeeded());
        return text;
    }
};

struct RenderRealFilm : RenderFilm {
    void SetUp() override {
        for (const char* const tool : {"ffmpeg", "ffprobe"})
            if (findProgram(tool).empty()) GTEST_SKIP() << tool << " is not installed";
    }
    /// Frames of RGB, one after the other.
    std::string decoded(const fs::path& film) const {
        return printed({"ffmpeg", "-v", "error", "-i", film.string(), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"});
    }
};

TEST_F(RenderRealFilm, HasAFrameAViewAndIsNamedAfterTheMode) {
    for (const std::string format : {"mp4", "webm"}) {
        const Outcome outcome = splatwright(
            render({"--orbit", "5", "--size", "65x48", "--as", format, "--mode", format == "mp4" ? "colour" : "normal", "--fps", "12"}));
        expectSuccess(outcome);
        expectParts(outcome.out, {"out: 5 frames"});
        const fs::path film = out / ((format == "mp4" ? "colour." : "normal.") + format);
        EXPECT_EQ(printed({"ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,height,r_frame_rate,nb_read_frames",
                           "-of", "csv=p=0", film.string()}),
                  "64,48,12/1,5\n");
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(out), {}), 2);
}

TEST_F(RenderRealFilm, HasTheViewsInTheirOrder) {
    expectSuccess(splatwright(render({"--orbit", "4", "--size", "64x48", "--as", "mp4"})));
    expectSuccess(splatwright(render({"--orbit", "4", "--size", "64x48"})));
    const std::string film = decoded(out / "colour.mp4");
    const size_t bytes = size_t{64} * 48 * 3;
    ASSERT_EQ(film.size(), 4 * bytes);
    const auto difference = [&](size_t frame, size_t view) {
        const Image8 picture = readImage(out / fmt::format("orbit_{:04}.png", view));
        double sum = 0;
        for (size_t i = 0; i < bytes; ++i) sum += std::abs(static_cast<uint8_t>(film[frame * bytes + i]) - picture.pixels[i]);
        return sum / static_cast<double>(bytes);
    };
    for (size_t frame = 0; frame < 4; ++frame)
        for (size_t step = 1; step < 4; ++step)
            EXPECT_LT(difference(frame, frame), difference(frame, (frame + step) % 4)) << frame << " " << step;
}

/// A single depth is the lowest colour where each view has a range of its own.
TEST_F(RenderRealFilm, KeepsTheRangeOfTheColourMap) {
    Gaussians wall;
    wall.resize(1, 0);
    wall.means[0] = {0, 0, 3};
    wall.rotations[0] = {1, 0, 0, 0};
    wall.logScales[0] = glm::vec3(5);
    wall.logitOpacities[0] = 12;
    writePly(splats, wall);
    Camera near{.width = 64, .height = 48, .fx = 64, .fy = 64, .cx = 32, .cy = 24}, far = near;
    far.translation.z = 4;
    writeCameraFile(camera, {{"near", near}, {"far", far}});
    expectSuccess(splatwright(render({"--camera", camera, "--mode", "depth", "--as", "mp4"})));
    const std::string film = decoded(out / "depth.mp4");
    const size_t bytes = size_t{64} * 48 * 3;
    ASSERT_EQ(film.size(), 2 * bytes);
    const auto mean = [&](size_t frame) {
        double sum = 0;
        for (size_t i = 0; i < bytes; ++i) sum += static_cast<uint8_t>(film[frame * bytes + i]);
        return sum / static_cast<double>(bytes);
    };
    EXPECT_LT(mean(0), 30);
    EXPECT_GT(mean(1), 150);
}

TEST_F(RenderRealFilm, AnInterruptLeavesNoFilm) {
    const auto begun = [&] { return fs::exists(out) && !fs::is_empty(out); };
    const Outcome outcome =
        splatwright(render({"--orbit", "10000", "--size", "64x48", "--as", "mp4"}), {.interruptWhen = begun, .signal = SIGTERM});
    EXPECT_EQ(outcome.code, 143);
    EXPECT_FALSE(fs::exists(out));
}

TEST_F(RenderFilm, WithoutFfmpegSaysWhatToInstallBeforeAnythingIsRead) {
    const Outcome outcome = splatwright({"render", scratch.path() / "none.ply", "--orbit", "5", "-o", out, "--as", "mp4"},
                                        {.environment = {{"PATH", scratch.path().string()}}});
    expectFailure(outcome, 1, {"ffmpeg: not found on the PATH", "apt-get install ffmpeg"});
    EXPECT_FALSE(fs::exists(out));
}

TEST_F(RenderFilm, AFailureOfFfmpegIsToldAndLeavesNoFilm) {
    const fs::path program = scratch.write("bin/ffmpeg", "#!/bin/sh\nhead -c 9000 >/dev/null\necho Unknown encoder >&2\nexit 1\n");
    fs::permissions(program, fs::perms::owner_all);
    const std::string path = program.parent_path().string() + ":" + std::getenv("PATH");
    expectFailure(splatwright(render({"--orbit", "50", "--size", "64x48", "--as", "webm"}), {.environment = {{"PATH", path}}}), 1,
                  {"colour.webm", "ffmpeg failed", "Unknown encoder"});
    EXPECT_FALSE(fs::exists(out));
}

TEST_F(RenderFilm, ViewsOfSeveralSizesNeedOne) {
    const fs::path program = scratch.write("bin/ffmpeg", "#!/bin/sh\ncat >/dev/null\n");
    fs::permissions(program, fs::perms::owner_all);
    const std::string path = program.parent_path().string() + ":" + std::getenv("PATH");
    writeCameraFile(camera, {{"one", scene.camera}, {"other", resized(scene.camera, 32, 24)}});
    const RunOptions run{.environment = {{"PATH", path}}};
    expectFailure(splatwright(render({"--camera", camera, "--as", "mp4"}), run), 2, {"other has 32x24", "expected 64x48", "--size"});
    expectFailure(splatwright(render({"--orbit", "3", "--size", "1x9", "--as", "mp4"}), run), 2, {"1x9", "2x2"});
    EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace splat
