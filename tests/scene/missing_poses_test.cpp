#include <splatwright/scene/datasets/missing_poses.h>

#include <cstdlib>

#include <splatwright/core/file.h>
#include <splatwright/core/shell_quoted.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/images/image_file.h>
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

/// What the shell of this system has around words with blanks.
const std::string kQuote = std::filesystem::path::preferred_separator == '/' ? "'" : "\"";

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

TEST(MissingPoses, TheCommandForPhotographsIsNamed) {
    const Scratch scratch;
    writePhotographs(scratch, "my photos");
    const std::string folder = (scratch.path() / "my photos").string();
    EXPECT_EQ(commandsOf(folder), std::vector<std::string>{"splatwright train " + kQuote + folder + kQuote + " -o run --prepare"});
    EXPECT_NE(adviceOnMissingPoses(folder).find("(2 photographs)"), std::string::npos);
    writePhotographs(scratch, "scene/images");
    const std::string scene = (scratch.path() / "scene").string();
    EXPECT_EQ(commandsOf(scene), std::vector<std::string>{"splatwright train " + scene + " -o run --prepare"});
}

TEST(MissingPoses, TheCommandForAVideoIsNamed) {
    const Scratch scratch;
    const std::string video = scratch.write("a 50%.MP4", "frames").string();
    const std::vector<std::string> expected{"splatwright train " + kQuote + video + kQuote + " -o run --prepare"};
    EXPECT_EQ(commandsOf(scratch.path() / "a 50%.MP4"), expected);
    EXPECT_EQ(commandsOf(scratch.path()), expected) << "of a folder, the first video";
}

TEST(MissingPoses, NothingIsSaidOfOtherPathsAndTheErrorSaysTheRest) {
    const Scratch scratch;
    scratch.write("notes/a.txt", "text");
    EXPECT_EQ(adviceOnMissingPoses(scratch.path() / "notes"), "");
    EXPECT_EQ(adviceOnMissingPoses(scratch.path() / "none"), "");
    writePhotographs(scratch, "photos");
    expectInputError([&] { loadDataset(scratch.path() / "photos"); }, {"no dataset found", "transforms.json", "-o run --prepare"});
}

TEST(MissingPoses, APathThatLooksLikeAnOptionIsTakenForAPath) {
    const Scratch scratch;
    writePhotographs(scratch, "-odd");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.path());
    EXPECT_EQ(commandsOf("-odd"), std::vector<std::string>{"splatwright train ./-odd -o run --prepare"});
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace splat
