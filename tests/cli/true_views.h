#pragma once

#include <string>
#include <vector>

#include <splatwright/core/child_process.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/synth/picture.h>
#include <splatwright/scene/synth/synth.h>
#include <splatwright/scene/synth/walk.h>
#include "run.h"

namespace splat::test {

inline bool has(const char* program) { return !findProgram(program).empty(); }

/// Skips the test with its reason if a program is missing.
#define NEED(program) \
    if (!has(program)) GTEST_SKIP() << (program) << " is not installed"

/// Neighbouring views of a round of 60, whose pictures overlap as photographs should. A process renders each picture once.
struct TrueViews {
    explicit TrueViews(const fs::path& folder, int views) : cameras(synth::sceneCameras(scene(), 60, 320, 240, 2)) {
        cameras.resize(static_cast<size_t>(views));
        fs::create_directories(folder);
        for (size_t i = 0; i < cameras.size(); ++i) fs::copy_file(picture(i), folder / fmt::format("{:03}.png", i));
    }
    std::vector<Camera> cameras;

private:
    static const synth::Scene& scene() {
        static const synth::Scene garden = findSynthScene("garden").build(1);
        return garden;
    }
    fs::path picture(size_t i) const {
        static const Scratch pictures;
        const fs::path file = pictures.path() / fmt::format("{}.png", i);
        if (!fs::exists(file)) writePng(file, synth::renderPicture(scene(), cameras[i]));
        return file;
    }
};

}  // namespace splat::test
