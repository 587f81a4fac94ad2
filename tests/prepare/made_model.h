#pragma once

#include <splatwright/core/rng.h>
#include <splatwright/prepare/model_file.h>

namespace splat::prepare::test {

using namespace splat::test;

/// A model with random poses, and points that some images observe.
inline Model madeModel(size_t images, size_t points, int32_t kind, uint64_t seed = 1) {
    Rng rng(seed);
    Model model;
    const LensModel& lens = *findLensModel(kind);
    ModelCamera camera{.id = 1, .model = kind, .width = 64, .height = 48, .parameters = std::vector<double>(lens.parameters())};
    for (double& parameter : camera.parameters) parameter = rng.uniform(0.001, 0.01);
    for (size_t i = 0; i < lens.focals; ++i) camera.parameters[i] = 60 + rng.uniform();
    const bool panorama = lens.projection == Projection::panorama;
    camera.parameters[lens.focals] = panorama ? 64 : 32;
    camera.parameters[lens.focals + 1] = panorama ? 48 : 24;
    model.cameras.push_back(camera);
    for (uint32_t i = 0; i < images; ++i) {
        const glm::dquat q = glm::normalize(glm::dquat(rng.normal(), rng.normal(), rng.normal(), rng.normal()));
        model.images.push_back({.id = i + 1,
                                .rotation = q,
                                .translation = {rng.normal(), rng.normal(), rng.normal()},
                                .camera = 1,
                                .name = "folder/" + std::to_string(i) + " a.png"});
    }
    for (uint64_t i = 0; images > 0 && i < points; ++i) {
        ModelImage& seenBy = model.images[i % images];
        model.points.push_back({.id = i + 1,
                                .position = {rng.normal(), rng.normal(), rng.normal()},
                                .colour = {static_cast<uint8_t>(i), 2, 3},
                                .error = rng.uniform(),
                                .track = {{seenBy.id, static_cast<uint32_t>(seenBy.keypoints.size())}}});
        seenBy.keypoints.push_back({rng.uniform(0, 64), rng.uniform(0, 48), i + 1});
    }
    return model;
}

}  // namespace splat::prepare::test
