#pragma once

#include <splatwright/render/renderer.h>
#include <splatwright/view/world_view.h>
#include "../scene/expect_same.h"
#include "picture_reference.h"
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {

inline constexpr glm::vec3 kBackground(0.1f, 0.2f, 0.3f);

inline Words wordsOf(const ImageF& image) {
    Words words;
    for (size_t i = 0; i < image.pixels.size(); i += 3)
        words.push_back(pixelWord(glm::vec3(image.pixels[i], image.pixels[i + 1], image.pixels[i + 2])));
    return words;
}

/// What the offline renderer makes of a model, as a window would show it.
inline Words rendered(const Gaussians& gaussians, const Camera& camera, glm::vec3 background = kBackground) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(gaussians.count()));
    model.upload(testDevice(), gaussians);
    Renderer renderer(testDevice(), testSort());
    return wordsOf(renderer.render(model, camera, background, gaussians.shDegree));
}

/// A world and what draws it.
struct WorldScene {
    WorldScene() : world(testDevice()), view(testDevice(), testSort(), world) { view.settings.background = kBackground; }
    explicit WorldScene(const Gaussians& gaussians) : WorldScene() { world.add("model", gaussians); }

    Words draw(const Camera& camera) {
        view.draw(camera);
        view.finish();
        return picture();
    }
    Words draw(const Camera& camera, std::string picture) {
        view.settings.picture = std::move(picture);
        return draw(camera);
    }
    Words picture() const { return testDevice().download<uint32_t>(view.picture(), size_t{view.size().x} * view.size().y); }
    /// Sets the flags of a gaussian of the world's buffers.
    void mark(uint32_t gaussian, uint32_t flags) {
        const gpu::BufferSlice word = world.marks().slice(gaussian * sizeof(uint32_t), sizeof(uint32_t));
        const uint32_t before = testDevice().download<uint32_t>(word, 1)[0];
        testDevice().upload(word, Words{(before & ~((1u << shared::kMarkFlagBits) - 1)) | flags});
    }

    World world;
    WorldView view;
};

}  // namespace splat
