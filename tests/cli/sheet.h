#pragma once

#include <splatwright/scene/formats/formats.h>

namespace splat::test {

constexpr size_t kSheetSide = 21;  // splats

/// A sheet of splats before the viewer's first camera: opacities rise to the right, red rises downwards by 0.05 a row. The opacities of the first and the
/// last splat lie beyond those of all others.
inline void writeSheet(const std::filesystem::path& path) {
    constexpr float kBand0 = 0.28209479F;
    Gaussians g;
    g.resize(kSheetSide * kSheetSide, 0);
    for (size_t i = 0; i < g.count(); ++i) {
        const size_t line = i / kSheetSide;
        const auto column = static_cast<float>(i % kSheetSide), row = static_cast<float>(line);
        g.means[i] = {0.1F * (column - 10), 0.1F * (row - 10), 0};
        g.rotations[i] = {1, 0, 0, 0};
        g.logScales[i] = glm::vec3(-2.6F);
        g.logitOpacities[i] = 0.3F * (column - 10);
        g.sh[i] = (glm::vec3(0.05F * row, 0.5F, 0.5F) - 0.5F) / kBand0;
    }
    g.logitOpacities.front() -= 1;
    g.logitOpacities.back() += 1;
    splatWriterByName("ply").write(path, g);
}

}  // namespace splat::test
