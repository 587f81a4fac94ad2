#pragma once

#include <fstream>
#include <functional>
#include <set>

#include "../scene/format_samples.h"
#include "desktop.h"
#include "run.h"

namespace splat::test {

/// Runs scripts in the viewer's window, on a display of its own.
struct ViewerScript : testing::Test {
    const Scratch scratch;
    const fs::path splats = scratch.write("a.ply", kSplatSamples.at("PLY")().back().content);
    const Display display;
    std::string size = "640x400";  ///< of the window; what has no panels is the same in less

    std::string openSplats() const { return "open " + splats.string() + "\n"; }
    fs::path at(const std::string& name) const { return scratch.path() / name; }

    Outcome play(const std::string& script, Arguments arguments = {}, RunOptions options = {}) const {
        EXPECT_FALSE(display.name().empty()) << "Xvfb did not start";
        std::ofstream(at("script.txt")) << script;
        arguments.insert(arguments.begin(), {"view", "--script", at("script.txt"), "--size", size});
        options.environment.emplace_back("DISPLAY", display.name());
        return splatwright(arguments, options);
    }
    /// A script's line that writes a report, and what it wrote.
    std::string writeReport(const std::string& name = "report.json") const { return "report " + at(name).string() + "\n"; }
    json readReport(const std::string& name = "report.json") const { return json::parse(readTextFile(at(name))); }
};

inline size_t coloursOf(const Image8& image) {
    std::set<uint32_t> colours;
    for (size_t i = 0; i + 2 < image.pixels.size(); i += 3)
        colours.insert(image.pixels[i] | static_cast<uint32_t>(image.pixels[i + 1]) << 8u |
                       static_cast<uint32_t>(image.pixels[i + 2]) << 16u);
    return colours.size();
}

}  // namespace splat::test
