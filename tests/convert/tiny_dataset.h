#pragma once

#include <splatwright/core/image.h>
#include <splatwright/scene/cameras/look_at.h>
#include <splatwright/scene/datasets/transforms_writer.h>
#include <splatwright/scene/images/image_file.h>
#include "../scene/scratch.h"

namespace splat::test {

/// A folder with two photographs, whose cameras look along z from x = 95 and x = 105, y = 50.
class TinyDataset {
public:
    static constexpr double kCameraZ = -20;

    TinyDataset() {
        constexpr int kWidth = 40, kHeight = 30;
        std::vector<NamedCamera> views;
        for (const double x : {95.0, 105.0}) {
            const std::string name = fmt::format("{}.png", x);
            writePng(path() / name, Image8(kWidth, kHeight, 3));
            views.push_back({name, lookAt({x, 50, kCameraZ}, {x, 50, 0}, {0, -1, 0}, 40, kWidth, kHeight)});
        }
        writeTransforms(path() / "transforms.json", views);
    }
    const std::filesystem::path& path() const { return scratch_.path(); }

private:
    Scratch scratch_;
};

}  // namespace splat::test
