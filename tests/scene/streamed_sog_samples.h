#pragma once

#include <filesystem>

#include <splatwright/scene/formats/sog/streamed_sog_writer.h>
#include "splat_samples.h"

namespace splat::test {

/// Writes three nodes in two levels, of which the last has none of its own in the coarser one, into three files and one.
inline void writeStreamedSample(const std::filesystem::path& path, int degree = 0) {
    StreamedSogWriter writer(path, 2, {}, 8);
    for (const size_t coarse : {2U, 3U, 0U}) {
        writer.add({.low = glm::vec3(-3),
                    .high = glm::vec3(5),
                    .coreLow = glm::vec3(-1),
                    .coreHigh = glm::vec3(1),
                    .levels = {writer.append(0, randomSplats(5, degree)), writer.append(1, randomSplats(coarse, degree))},
                    .errors = {0, 1},
                    .differences = {0, 0.5F}});
    }
    writer.finish();
}

}  // namespace splat::test
