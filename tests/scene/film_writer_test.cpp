// Films as ffprobe and ffmpeg read them, and what is left where ffmpeg fails.
#include <splatwright/scene/images/film_writer.h>

#include <cstdlib>

#include <splatwright/core/child_process.h>
#include <splatwright/core/input_file.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// The PATH of this process, until the end.
class SearchPath {
public:
    explicit SearchPath(const std::string& path) : before_(now()) { setenv("PATH", path.c_str(), 1); }
    ~SearchPath() { setenv("PATH", before_.c_str(), 1); }
    static std::string now() {
        const char* const path = std::getenv("PATH");
        return path ? path : "";
    }
    SearchPath(const SearchPath&) = delete;
    SearchPath& operator=(const SearchPath&) = delete;

private:
    std::string before_;
};

/// A colour that moves on with each frame.
Image8 frameOf(ImageSize size, int number) {
    Image8 frame(size.width, size.height, 3);
    for (size_t i = 0; i < frame.pixels.size(); i += 3) {
        frame.pixels[i] = static_cast<uint8_t>(200 - 10 * number);
        frame.pixels[i + 1] = 40;
        frame.pixels[i + 2] = static_cast<uint8_t>(50 + 10 * number);
    }
    return frame;
}

NextFrame frames(ImageSize size, int count) {
    return [size, count, next = 0]() mutable { return next == count ? std::nullopt : std::optional(frameOf(size, next++)); };
}

struct FilmWriter : testing::Test {
    const Scratch scratch;
    const fs::path folder = scratch.write("films/old.mp4", "an older film").parent_path();

    std::string printed(const std::vector<std::string>& arguments) const {
        std::string text;
        const auto take = [&](std::span<const std::byte> bytes) { text += textOf(bytes); };
        EXPECT_TRUE(runChild({.arguments = arguments, .log = {}, .onOutput = take}).succeeded());
        return text;
    }
    /// A program called ffmpeg that is this shell script.
    fs::path fakeFfmpeg(const std::string& script) const {
        const fs::path program = scratch.write("bin/ffmpeg", "#!/bin/sh\n" + script);
        fs::permissions(program, fs::perms::owner_all);
        return program.parent_path();
    }
    void expectOldFilmAlone() const {
        EXPECT_EQ(readTextFile(folder / "old.mp4"), "an older film");
        EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
    }
};

struct RealFilms : FilmWriter, testing::WithParamInterface<const FilmFormat*> {
    void SetUp() override {
        for (const char* const tool : {"ffmpeg", "ffprobe"})
            if (findProgram(tool).empty()) GTEST_SKIP() << tool << " is not installed";
    }
};

TEST_P(RealFilms, HaveTheFramesAndTheSizeThatTheyWereGiven) {
    const fs::path path = folder / "a film.out";
    for (const ImageSize size : {ImageSize{64, 48}, {65, 47}, {2, 3}}) {
        writeFilm(path, {.format = *GetParam(), .size = size, .rate = 12}, frames(size, 7));
        const std::string found =
            printed({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                     "stream=codec_name,width,height,pix_fmt,color_space,r_frame_rate,nb_read_frames", "-of", "csv=p=0", path.string()});
        const std::string codec = GetParam() == &kMp4Film ? "h264" : "vp9";
        EXPECT_EQ(found, fmt::format("{},{},{},yuv420p,bt709,12/1,7\n", codec, size.width / 2 * 2, size.height / 2 * 2));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
}

TEST_P(RealFilms, HaveTheColoursThatTheyWereGivenInTheirOrder) {
    const ImageSize size{32, 32};
    writeFilm(folder / "old.mp4", {.format = *GetParam(), .size = size, .rate = 5}, frames(size, 9));
    const std::string bytes =
        printed({"ffmpeg", "-v", "error", "-i", (folder / "old.mp4").string(), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"});
    ASSERT_EQ(bytes.size(), 9u * 32 * 32 * 3);
    for (int n = 0; n < 9; ++n) {
        const Image8 expected = frameOf(size, n);
        const size_t middle = expected.index(16, 16);
        for (size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(static_cast<uint8_t>(bytes[static_cast<size_t>(n) * expected.pixels.size() + middle + k]),
                        expected.pixels[middle + k], 5)
                << n << " " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, RealFilms, testing::Values(&kMp4Film, &kWebmFilm),
                         [](const auto& format) { return std::string(format.param->name); });

TEST_F(FilmWriter, SaysWhatToInstallWhereThereIsNoFfmpeg) {
    const SearchPath empty(scratch.path().string());
    try {
        requireFfmpeg();
        FAIL();
    } catch (const Error& problem) {
        const std::string text = problem.what();
        EXPECT_NE(text.find("ffmpeg: not found on the PATH"), std::string::npos) << text;
        EXPECT_NE(text.find("apt-get install ffmpeg"), std::string::npos) << text;
    }
}

TEST_F(FilmWriter, AFailureOfFfmpegLeavesTheOldFilmAndSaysWhy) {
    const fs::path bin =
        fakeFfmpeg("for last; do :; done\necho half > \"${last#file:}\"\nhead -c 20000 >/dev/null\necho no room >&2\nexit 7\n");
    const SearchPath path(bin.string() + ":" + SearchPath::now());
    try {
        writeFilm(folder / "old.mp4", {.format = kMp4Film, .size = {64, 48}, .rate = 5}, frames({64, 48}, 1000));
        FAIL();
    } catch (const Error& problem) {
        const std::string text = problem.what();
        for (const char* const part : {"old.mp4: ffmpeg failed after", "exit code 7", "no room"})
            EXPECT_NE(text.find(part), std::string::npos) << text;
    }
    expectOldFilmAlone();
}

TEST_F(FilmWriter, AnEndBeforeTheLastFrameIsAFailure) {
    const SearchPath path(fakeFfmpeg("for last; do :; done\necho half > \"${last#file:}\"\nhead -c 20000 >/dev/null\n").string() + ":" +
                          SearchPath::now());
    EXPECT_THROW(writeFilm(folder / "old.mp4", {.format = kMp4Film, .size = {64, 48}, .rate = 5}, frames({64, 48}, 1000)), Error);
    expectOldFilmAlone();
}

TEST_F(FilmWriter, WhatTheFramesThrowEndsFfmpegAndLeavesTheOldFilm) {
    const SearchPath path(fakeFfmpeg("for last; do :; done\necho half > \"${last#file:}\"\ncat >/dev/null\n").string() + ":" +
                          SearchPath::now());
    int left = 5;
    EXPECT_THROW(writeFilm(folder / "old.mp4", {.format = kMp4Film, .size = {64, 48}, .rate = 5},
                           [&]() -> std::optional<Image8> {
                               if (left-- == 0) throw std::range_error("stop");
                               return frameOf({64, 48}, left);
                           }),
                 std::range_error);
    expectOldFilmAlone();
}

TEST_F(FilmWriter, AFolderThatIsNotThereIsAnError) {
    const SearchPath path(fakeFfmpeg("cat >/dev/null\n").string() + ":" + SearchPath::now());
    EXPECT_THROW(writeFilm("/does/not/exist/a.mp4", {.format = kMp4Film, .size = {64, 48}, .rate = 5}, frames({64, 48}, 3)), Error);
}

}  // namespace
}  // namespace splat
