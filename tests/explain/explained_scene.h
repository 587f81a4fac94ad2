#pragma once

#include <string>

#include <splatwright/explain/tile_frame.h>
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat::explain {

/// A scene of the double-precision renderer, and its model on the test device.
struct ExplainedScene {
    explicit ExplainedScene(reference::Scene made)
        : scene(std::move(made)), model(testDevice(), static_cast<uint32_t>(scene.gaussians.count())) {
        model.upload(testDevice(), scene.gaussians);
    }
    explicit ExplainedScene(const std::string& name) : ExplainedScene(reference::makeScene(name, 7)) {}

    TileFrame at(glm::uvec2 pixel) const {
        return {testDevice(), testSort(), {model, scene.gaussians.shDegree, background}, scene.camera, pixel};
    }
    glm::uvec2 size() const { return {scene.camera.width, scene.camera.height}; }
    glm::uvec2 centre() const { return size() / 2u; }
    /// Pixels all over the picture, those of its corners too.
    std::vector<glm::uvec2> somePixels() const {
        std::vector<glm::uvec2> pixels;
        for (const uint32_t y : {0u, size().y / 3, size().y - 1}) {
            for (const uint32_t x : {0u, size().x / 2, size().x - 1}) pixels.emplace_back(x, y);
        }
        return pixels;
    }

    reference::Scene scene;
    GaussianModel model;
    glm::vec3 background{0.2f, 0.4f, 0.7f};
};

}  // namespace splat::explain
