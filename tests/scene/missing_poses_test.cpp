#include <splatwright/scene/datasets/missing_poses.h>

#include <cstdlib>

#include <splatwright/core/file.h>
#include <splatwright/scene/dataset.h>
#include <splatwright/scene/image_file.h>
#include "encoders.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

/// What a POSIX shell's printf writes for one word.
std::string throughShell(const Scratch& scratch, const std::string& word) {
    const auto file = scratch.path() / "word";
    const std::string command = "bash -c " + shellQuoted("printf %s " + word + " > " + shellQuoted(file.string()));
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return readTextFile(file);
}

TEST(ShellQuoted, AShellReadsTheSameTextBack) {
    const Scratch scratch;
    for (const std::string text :
         {"plain/path-1.0", "two words", "it's", "$HOME `id` \\ \"x\" *", "new\nline", "esc\x1b[31m'q'\\", "ünï", "", "~", "-x"}) {
        EXPECT_EQ(throughShell(scratch, shellQuoted(text)), text) << text;
        EXPECT_EQ(shellQuoted(text).find_first_of("\n\x1b"), std::string::npos);
    }
    EXPECT_EQ(shellQuoted("plain/path-1.0"), "plain/path-1.0");
}

/// Files of photographs, all of one size.
void writePhotographs(const Scratch& scratch, const std::string& folder) {
    std::filesystem::create_directories(scratch.path() / folder);
    for (const char* name : {"a.png", "b.PNG"}) writePng(scratch.path() / folder / name, testImage(8, 6, 3));
}

std::vector<std::string> commandsOf(const std::filesystem::path& path) {
    std::vector<std::string> commands;
    std::istringstream text(adviceOnMissingPoses(path));
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("    ")) commands.push_back(line.substr(4));
    }
    return commands;
}

TEST(MissingPoses, PhotographsBecomeADatasetBesideThem) {
    const Scratch scratch;
    writePhotographs(scratch, "my photos");
    const std::string folder = (scratch.path() / "my photos").string(), dataset = "'" + folder + "-dataset'";
    const std::vector<std::string> expected{"sudo apt install colmap", "mkdir -p " + dataset,
                                            "ln -s '" + folder + "' '" + folder + "-dataset/images'",
                                            "colmap automatic_reconstructor --workspace_path " + dataset + " --image_path '" + folder +
                                                "-dataset/images' --dense 0 --use_gpu 0 --single_camera 1",
                                            "splatwright train " + dataset + " -o run"};
    EXPECT_EQ(commandsOf(scratch.path() / "my photos"), expected);
    EXPECT_EQ(commandsOf(scratch.path() / "my photos" / ""), expected);
    EXPECT_NE(adviceOnMissingPoses(scratch.path() / "my photos").find("(2 photographs)"), std::string::npos);
}

TEST(MissingPoses, AFolderOfImagesIsPartOfTheDataset) {
    const Scratch scratch;
    writePhotographs(scratch, "scene/images");
    const std::string scene = (scratch.path() / "scene").string();
    const std::vector<std::string> expected{"sudo apt install colmap",
                                            "colmap automatic_reconstructor --workspace_path " + scene + " --image_path " + scene +
                                                "/images --dense 0 --use_gpu 0 --single_camera 1",
                                            "splatwright train " + scene + " -o run"};
    EXPECT_EQ(commandsOf(scratch.path() / "scene"), expected);
    EXPECT_EQ(commandsOf(scratch.path() / "scene/images"), expected);
}

TEST(MissingPoses, PhotographsOfDifferentSizesHaveCamerasOfTheirOwn) {
    const Scratch scratch;
    writePhotographs(scratch, "images");
    writePng(scratch.path() / "images/c.png", testImage(6, 8, 3));
    EXPECT_EQ(adviceOnMissingPoses(scratch.path()).find("single_camera"), std::string::npos);
    const Scratch broken;
    broken.write("images/a.jpg", "no image");
    EXPECT_EQ(adviceOnMissingPoses(broken.path()).find("single_camera"), std::string::npos);
}

TEST(MissingPoses, AVideoBecomesFrames) {
    const Scratch scratch;
    const auto video = scratch.write("a 50%.MP4", "frames");
    const std::string dataset = (scratch.path() / "a 50%-dataset").string(), frames = (scratch.path() / "a 50%%-dataset").string();
    EXPECT_EQ(commandsOf(video),
              (std::vector<std::string>{"sudo apt install ffmpeg colmap", "mkdir -p '" + dataset + "/images'",
                                        "ffmpeg -i '" + video.string() + "' -vf fps=2 -qscale:v 2 '" + frames + "/images/%05d.jpg'",
                                        "colmap automatic_reconstructor --workspace_path '" + dataset + "' --image_path '" + dataset +
                                            "/images' --dense 0 --use_gpu 0 --single_camera 1 --data_type video",
                                        "splatwright train '" + dataset + "' -o run"}));
    EXPECT_EQ(commandsOf(scratch.path()).at(1), "mkdir -p " + (scratch.path() / "images").string());
}

TEST(MissingPoses, NothingIsSaidOfOtherPathsAndTheErrorSaysTheRest) {
    const Scratch scratch;
    scratch.write("notes/a.txt", "text");
    EXPECT_EQ(adviceOnMissingPoses(scratch.path() / "notes"), "");
    EXPECT_EQ(adviceOnMissingPoses(scratch.path() / "none"), "");
    writePhotographs(scratch, "photos");
    expectInputError([&] { loadDataset(scratch.path() / "photos"); },
                     {"no dataset found", "transforms.json", "colmap automatic_reconstructor"});
}

TEST(MissingPoses, RelativePathsAreTakenForPaths) {
    const Scratch scratch;
    writePhotographs(scratch, "-odd");
    writePhotographs(scratch, "here/images");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.path());
    EXPECT_EQ(commandsOf("-odd").at(1), "mkdir -p ./-odd-dataset");
    std::filesystem::current_path(scratch.path() / "here");
    for (const char* path : {".", "images", "./images/"})
        EXPECT_EQ(commandsOf(path).back(), "splatwright train " + (scratch.path() / "here").string() + " -o run") << path;
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace splat
