#include <splatwright/core/rng.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

using glm::vec3;

namespace {

uint32_t draw(Rng& rng) { return static_cast<uint32_t>(rng.next()); }

/// A spinning top on a ring, with one material of each kind.
std::vector<Object> toy(Rng& rng) {
    std::vector<Object> objects;
    auto add = [&](Shape shape, Material material) { objects.push_back({std::move(shape), std::move(material)}); };
    const vec3 foot(0, 0.52f, 0);
    add(cylinder(foot, 0.55f, 0.07f, 0.04f), {wood(rgb(0xc98f55), rgb(0x9a6232), {0.1f, 0, 0.07f}, 0.13f, draw(rng)), 0.2f, 20});
    add(torus({0, 0.36f, 0}, 0.3f, 0.1f), {stripes(rgb(0x2f6fd0), rgb(0xf3d34a), {1, 0, 0.5f}, 0.2f), 0.2f, 20});
    Shape body = smoothUnion(sphere({0, 0.05f, 0}, 0.32f), sphere({0, -0.36f, 0}, 0.17f), 0.22f);
    add(std::move(body), {plain(rgb(0xd93a3a)), 1, 28});
    for (int arm = 0; arm < 3; ++arm) {
        const float angle = glm::radians(120.0f * static_cast<float>(arm) + static_cast<float>(rng.uniform(-15, 15)));
        const vec3 out(glm::cos(angle), -0.35f, glm::sin(angle));
        add(capsule(out * 0.25f, out * 0.55f, 0.07f), {marbled(rgb(0x2b9a8f), rgb(0xd9f0c9), 0.14f, draw(rng))});
        add(sphere(out * 0.62f, 0.12f), {dotted(rgb(0xf2efe6), rgb(0x7a3fa0), out * 0.62f, 0.14f, 0.045f)});
    }
    const float turn = static_cast<float>(rng.uniform(0, 90));
    const vec3 hat(0, -0.6f, 0);
    add(rotated(roundedBox(hat, vec3(0.13f), 0.03f), {0, 1, 0}, turn), {checker(rgb(0x26303c), rgb(0xf4f1e8), hat, 0.1f, turn), 0.3f, 20});
    return objects;
}

}  // namespace

Scene buildObject(uint64_t seed) {
    Rng rng(seed);
    Scene scene;
    scene.objects = toy(rng);
    scene.light.bounce = {0.5f, 0.5f, 0.5f};  // as if on a white surface, because the background is white
    scene.orbit = {
        .target = {0, -0.06f, 0}, .radius = 2.5f, .radiusSwing = 0.06f, .elevation = 24, .elevationSwing = 28, .fieldOfView = 52};
    scene.extent = 0.8f;
    scene.pointCount = 5000;
    return scene;
}

}  // namespace splat::synth
