#include <array>

#include <splatwright/core/rng.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

using glm::vec3;

namespace {

constexpr float kCeiling = 4.2f;  // height, far above the orbit's pictures
constexpr float kReach = 2.4f;    // half width of the ceiling: it fills the pictures from below
constexpr float kSky = 20;        // radius of the dome

uint32_t draw(Rng& rng) { return static_cast<uint32_t>(rng.next()); }

void addCeiling(std::vector<Object>& objects, Rng& rng) {
    const auto turn = static_cast<float>(rng.uniform(0, 90));
    const vec3 middle(0, -kCeiling, 0);
    const vec3 panel = middle - vec3(0, 0.1f, 0);
    objects.push_back({roundedBox(panel, {kReach, 0.1f, kReach}, 0.02f), {marbled(rgb(0x4f9fd8), rgb(0xf2ead3), 0.8f, draw(rng))}});
    objects.push_back({torus(middle, 0.75f, 0.12f), {stripes(rgb(0xd42a2a), rgb(0xf7c920), {1, 0, 0.6f}, 0.5f)}});
    objects.push_back({sphere(middle, 0.35f), {checker(rgb(0x7a3fa0), rgb(0xd9f0c9), middle, 0.3f, turn)}});
    for (const float side : {-1.0f, 1.0f}) {
        const vec3 centre(side * 1.35f, -kCeiling, 0);
        objects.push_back(
            {roundedBox(centre, {0.14f, 0.12f, kReach}, 0.02f), {wood(rgb(0xc98f55), rgb(0x6f3f22), centre, 0.3f, draw(rng))}});
    }
}

void addToys(std::vector<Object>& objects, Rng& rng) {
    objects.push_back({cylinder({0, -0.2f, 0}, 0.8f, 0.2f, 0.04f), {wood(rgb(0xc98f55), rgb(0x9a6232), {0.1f, 0, 0}, 0.2f, draw(rng))}});
    objects.push_back({sphere({0.3f, -0.65f, 0.1f}, 0.26f), {stripes(rgb(0x2f6fd0), rgb(0xf3d34a), {0.3f, 1, 0}, 0.24f)}});
    objects.push_back({rotated(roundedBox({-0.35f, -0.62f, 0.2f}, vec3(0.2f), 0.03f), {0, 1, 0}, static_cast<float>(rng.uniform(0, 90))),
                       {marbled(rgb(0x2b9a8f), rgb(0xd9f0c9), 0.3f, draw(rng))}});
    objects.push_back({torus({0, -0.5f, -0.4f}, 0.22f, 0.1f), {plain(rgb(0xd93a3a)), 0.3f, 20}});
}

vec3 sky(const vec3& p) { return glm::mix(rgb(0xc8e0ee), rgb(0x4f8fd0), glm::smoothstep(0.0f, 0.6f, -p.y / kSky)); }

}  // namespace

Scene buildPavilion(uint64_t seed) {
    Rng rng(seed);
    Scene scene;
    addCeiling(scene.objects, rng);
    addToys(scene.objects, rng);
    scene.ground = Material{marbled(rgb(0xcdb994), rgb(0x6f5a48), 0.8f, draw(rng))};
    scene.dome = Dome{kSky, sky};
    scene.light.bounce = {0.9f, 0.87f, 0.8f};  // as from a floor in the sun: it lights the ceiling
    scene.orbit = {.target = {0, -0.3f, 0}, .radius = 2.6f, .radiusSwing = 0.06f, .elevation = 30, .elevationSwing = 6, .fieldOfView = 52};
    scene.region = Region{.orbit = {.target = {0, -kCeiling, 0}, .radius = 2.4f, .elevation = -72, .elevationSwing = 4, .fieldOfView = 60},
                          .viewpoints = 5,
                          .pointCount = 300};
    scene.extent = 1.5f;
    scene.pointCount = 500;
    return scene;
}

}  // namespace splat::synth
