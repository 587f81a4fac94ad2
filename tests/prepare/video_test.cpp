#include <splatwright/prepare/video.h>

#include <cstdlib>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/child_process.h>
#include <splatwright/core/input_file.h>
#include <splatwright/prepare/prepare.h>
#include "../scene/scratch.h"

namespace splat::prepare {
namespace {

namespace fs = std::filesystem;

struct VideoFile : testing::Test {
    void SetUp() override {
        if (findProgram("ffmpeg").empty()) GTEST_SKIP() << "ffmpeg is not installed";
        tools = findVideoTools(scratch.path() / "log", observer);
    }
    /// Frame n is grey of level 2 n modulo 256.
    fs::path write(int frames, std::vector<std::string> more = {}) const {
        const fs::path file = scratch.path() / "100% video.mkv";
        const std::string source = "color=black:size=64x48:rate=30,format=gray,geq=lum='mod(2*N\\,256)'";
        std::vector<std::string> arguments{"ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-frames:v", std::to_string(frames)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        arguments.insert(arguments.end(), {"-c:v", "ffv1", file.string()});
        EXPECT_TRUE(runChild({.arguments = arguments, .log = {}}).succeeded());
        return file;
    }

    test::Scratch scratch;
    VideoTools tools;
    Observer observer;
};

int greyOf(const FrameLook& look) { return look.thumbnail[0]; }

TEST_F(VideoFile, EveryFrameIsLookedAtOnce) {
    const Video video = probeVideo(tools, write(70), observer);
    EXPECT_EQ(video.size, (ImageSize{64, 48}));
    const auto looks = lookAtFrames(tools, video, observer);
    ASSERT_EQ(looks.size(), 70u);
    for (int i = 0; i < 70; ++i) EXPECT_NEAR(greyOf(looks[static_cast<size_t>(i)]), 2 * i, 1);
}

/// ffmpeg refuses sums of more than a hundred terms.
TEST_F(VideoFile, ManyFramesAreExportedInOnePass) {
    const Video video = probeVideo(tools, write(600), observer);
    std::vector<size_t> frames;
    for (size_t i = 3; i < 600; i += 1 + i % 2) frames.push_back(i);
    ASSERT_GT(frames.size(), 290u);
    const auto names = exportFrames(tools, video, frames, scratch.path(), observer);
    ASSERT_EQ(names.size(), frames.size());
    for (size_t i = 0; i < frames.size(); i += 7) {
        const Image8 image = readImage(scratch.path() / names[i]);
        EXPECT_NEAR(image.at(30, 20)[0], static_cast<int>(2 * frames[i] % 256), 3) << names[i];
    }
}

/// The system limits the length of one argument, so that 4,500 frames do not fit in one filter.
TEST_F(VideoFile, AsManyFramesAsCanBeAskedForAreExported) {
    const Video video = probeVideo(tools, write(kMostFrames + 10), observer);
    std::vector<size_t> frames(kMostFrames);
    std::iota(frames.begin(), frames.end(), 5);
    const fs::path folder = scratch.path() / "all";
    fs::create_directory(folder);
    const auto names = exportFrames(tools, video, frames, folder, observer);
    ASSERT_EQ(names.size(), frames.size());
    for (const size_t i : {size_t{0}, size_t{999}, size_t{1000}, size_t{4321}, frames.size() - 1})
        EXPECT_NEAR(readImage(folder / names[i]).at(30, 20)[0], static_cast<int>(2 * frames[i] % 256), 3) << names[i];
}

/// Programs instead of ffmpeg's.
struct FakeFfmpeg : testing::Test {
    fs::path script(const std::string& text) const {
        const fs::path file = scratch.write("bin/ffmpeg", "#!/bin/bash\n" + text);
        fs::permissions(file, fs::perms::owner_all);
        return file;
    }
    VideoTools tools() {
        const std::string before = std::getenv("PATH");
        scratch.write("bin/ffprobe", "");
        fs::permissions(scratch.path() / "bin/ffprobe", fs::perms::owner_all);
        setenv("PATH", ((scratch.path() / "bin").string() + ":" + before).c_str(), 1);
        VideoTools found = findVideoTools(scratch.path() / "log", observer);
        setenv("PATH", before.c_str(), 1);
        return found;
    }
    test::Scratch scratch;
    Observer observer;
};

TEST_F(FakeFfmpeg, IsAskedForTheOptionThatKeepsFrames) {
    script("[[ $* == *' -h long' ]] && echo '-vsync   set video sync method globally; deprecated, use -fps_mode'");
    EXPECT_EQ(tools().everyFrame, "vsync");
    script("[[ $* == *' -h long' ]] && echo '-fps_mode   set framerate mode'");
    VideoTools found = tools();
    EXPECT_EQ(found.everyFrame, "fps_mode");
    script("[[ $* == *'-fps_mode passthrough'* && $* != *vsync* ]] && head -c 3072 /dev/zero");
    EXPECT_EQ(lookAtFrames(found, {.path = "a", .size = {64, 48}}, observer).size(), 1u);
}

TEST_F(FakeFfmpeg, ThatEndsHalfWayIsAnErrorAndNoShorterVideo) {
    for (const auto& [end, said] : {std::pair("kill -KILL $$", "signal 9"), std::pair("exit 255", "exit code 255")}) {
        script(std::string("head -c 9216 /dev/zero; echo last words >&2; ") + end);
        VideoTools found = tools();
        try {
            lookAtFrames(found, {.path = "a", .size = {64, 48}}, observer);
            ADD_FAILURE() << end;
        } catch (const Error& problem) {
            for (const char* part : {"ffmpeg, after 3 frames, failed", said, "last words"})
                EXPECT_NE(std::string(problem.what()).find(part), std::string::npos) << problem.what();
        }
    }
}

/// Phones store what they take upright as it lies, with a rotation: a matrix of the track's header (ISO/IEC 14496-12, 8.3.2).
TEST_F(VideoFile, IsTurnedAsItIsShown) {
    const fs::path lying = write(5), file = scratch.path() / "turned.mp4";
    ASSERT_TRUE(runChild({.arguments = {"ffmpeg", "-v", "error", "-i", lying, "-c:v", "mpeg4", file}, .log = {}}).succeeded());
    std::string content = readTextFile(file);
    const size_t matrix = content.find("tkhd") + 44;  // a, b, u, c, d, v, x, y, w; 16.16 bits, big endian
    content.replace(matrix, 8, std::string("\0\0\0\0\0\1\0\0", 8)).replace(matrix + 12, 8, std::string("\xff\xff\0\0\0\0\0\0", 8));
    const Video video = probeVideo(tools, scratch.write("turned.mp4", content), observer);
    EXPECT_EQ(video.size, (ImageSize{48, 64}));
    EXPECT_EQ(lookAtFrames(tools, video, observer).size(), 5u);
    const auto names = exportFrames(tools, video, {1, 3}, scratch.path(), observer);
    EXPECT_EQ(readImageHeader(scratch.path() / names[0]).size, (ImageSize{48, 64}));
}

TEST_F(VideoFile, TextIsNoVideo) {
    test::expectInputError([&] { probeVideo(tools, scratch.write("a.mp4", "text"), observer); }, {"a.mp4", "expected a video"});
    test::expectInputError([&] { probeVideo(tools, scratch.path() / "none.mp4", observer); }, {"none.mp4"});
    test::expectInputError([&] { probeVideo(tools, scratch.path(), observer); }, {"expected a regular file"});
}

}  // namespace
}  // namespace splat::prepare
