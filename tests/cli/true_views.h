#pragma once

#include <string>
#include <vector>

#include <splatwright/core/child_process.h>
#include <splatwright/scene/image_file.h>
#include <splatwright/scene/synth/picture.h>
#include <splatwright/scene/synth/synth.h>
#include <splatwright/scene/synth/walk.h>
#include "run.h"

namespace splat::test {

inline bool has(const char* program) { return !findProgram(program).empty(); }

/// Skips the test with its reason if a program is missing.
#define NEED(program) \
    if (!has(program)) GTEST_SKIP() << (program) << " is not installed"

/// Neighbouring views of a round of 60, whose pictures overlap as photographs should.
struct TrueViews {
    explicit TrueViews(const fs::path& folder, int views = 20) {
        const synth::Scene scene = findSynthScene("garden").build(1);
        cameras = synth::sceneCameras(scene, 60, 320, 240, 2);
        cameras.resize(static_cast<size_t>(views));
        std::filesystem::create_directories(folder);
        for (size_t i = 0; i < cameras.size(); ++i) writePng(folder / fmt::format("{:03}.png", i), synth::renderPicture(scene, cameras[i]));
    }
    std::vector<Camera> cameras;
};

}  // namespace splat::test
