#include "run.h"

#include <array>

#include <splatwright/core/child_process.h>

namespace splat {
namespace {

using namespace test;

/// The lines of the block of commands below a heading of the README.
std::vector<std::string> commandsBelow(const std::string& heading) {
    std::istringstream text(readTextFile(fs::path(SPLAT_SHADERS).parent_path() / "README.md"));
    std::vector<std::string> commands;
    bool below = false, inside = false;
    for (std::string line; std::getline(text, line);) {
        if (line == heading) below = true;
        if (below && line.starts_with("```")) {
            if (inside) return commands;
            inside = true;
        } else if (inside && !line.empty()) {
            commands.push_back(line);
        }
    }
    return commands;
}

/// What makes the README's commands small enough for a test; each must be found once.
const std::array kSmaller{
    std::pair<std::string, std::string>{"steps=3000", "steps=2"},
    std::pair<std::string, std::string>{"--views 40 --size 320x240", "--views 6 --size 64x48"},
    std::pair<std::string, std::string>{"--orbit 60 -o images", "--orbit 2 --size 64x48 -o images"},
    std::pair<std::string, std::string>{"--orbit 60 -o films", "--orbit 2 --size 64x48 -o films"},
    std::pair<std::string, std::string>{"--frames 100 --size 1920x1080", "--frames 2 --size 64x48"},
    std::pair<std::string, std::string>{"--size 1280x960", "--size 99x77"},
    std::pair<std::string, std::string>{"--pixel 160,120", "--pixel 32,24"},
    std::pair<std::string, std::string>{"bench sort scan", "bench scan --n 3000"},
};

bool opensAWindow(const std::string& command) {
    const bool views = command.find(" view ") != std::string::npos || command.find(" --view") != std::string::npos;
    return views && command.find("--headless") == std::string::npos && command.find("--views") == std::string::npos;
}

std::string program() {
    std::string words = SPLAT_BINARY;
    for (const std::string& argument : deviceArguments()) words += " " + argument;
    return words;
}

TEST(Readme, LinesOfUseWorkInTheirOrder) {
    if (findProgram("ffmpeg").empty()) GTEST_SKIP() << "ffmpeg is not installed";
    const Scratch scratch;
    std::string script;
    size_t windows = 0, smaller = 0;
    for (std::string line : commandsBelow("## Use")) {
        for (const auto& [from, to] : kSmaller) {
            const size_t at = line.find(from);
            if (at == std::string::npos) continue;
            line.replace(at, from.size(), to);
            ++smaller;
        }
        if (line.starts_with("splatwright=")) line = "splatwright='" + program() + "'";
        if (opensAWindow(line)) {
            ++windows;  // tests/cli/window_test.cpp opens windows
        } else {
            script += line + "\n";
        }
    }
    EXPECT_EQ(smaller, kSmaller.size());
    EXPECT_EQ(windows, 3u);
    const fs::path file = scratch.write("use.sh", "set -eux\ncd '" + scratch.path().string() + "'\n" + script);
    const std::string command = "bash '" + file.string() + "' >'" + (scratch.path() / "log").string() + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << readTextFile(scratch.path() / "log");
}

}  // namespace
}  // namespace splat
