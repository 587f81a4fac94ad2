#include <cmath>
#include <numbers>

#include <splatwright/core/rng.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

using glm::vec3;

namespace {

constexpr float kTable = 0.5f;  // height of the table top
constexpr float kTableRadius = 1.2f;
constexpr float kHorizon = 9;  // radius of the dome: three times the cameras' distance, so its parallax is small but real

/// A point `height` above the ground.
vec3 at(float x, float z, float height) { return {x, -height, z}; }

uint32_t draw(Rng& rng) { return static_cast<uint32_t>(rng.next()); }

/// Paving around the table, then a meadow that fades into the horizon's colour.
Texture meadow(Rng& rng) {
    const Texture paving =
        checker(rgb(0xcdb994), rgb(0x9c7a5e), at(0, 0, 0.25f), 0.5f, 20);  // offset by half a cube, because borders of cubes are at y = 0
    const Texture grass = marbled(rgb(0x3f7030), rgb(0x7fa544), 0.9f, draw(rng));
    const vec3 far = rgb(0x6f9c5a);
    const uint32_t edge = draw(rng);
    return [=](const vec3& p) {
        const float radius = std::hypot(p.x, p.z);
        const float border = 2.1f + 0.5f * noise(p * 1.5f, edge);
        const vec3 near = glm::mix(paving(p), grass(p), glm::smoothstep(border - 0.08f, border + 0.08f, radius));
        return glm::mix(near, far, glm::smoothstep(4.0f, kHorizon, radius));
    };
}

/// A blue gradient with soft clouds and two ranges of hills.
Texture sky(Rng& rng) {
    const uint32_t clouds = draw(rng);
    const uint32_t hills = draw(rng);
    const uint32_t mountains = draw(rng);
    return [=](const vec3& p) {
        const vec3 direction = p / kHorizon;
        const float height = -direction.y;
        auto ridge = [&](uint32_t seed, float scale, float low, float high) {
            const vec3 around = vec3(direction.x, 0, direction.z) * scale;
            return glm::smoothstep(-0.012f, 0.012f, low + (high - low) * noise(around, seed) - height);
        };
        vec3 colour = glm::mix(rgb(0xc8e0ee), rgb(0x4f8fd0), glm::smoothstep(0.0f, 0.6f, height));
        const float cloud = glm::smoothstep(0.5f, 0.8f, fractalNoise(vec3(direction.x, 3 * direction.y, direction.z) * 3.0f, clouds));
        colour = glm::mix(colour, vec3(1.1f), 0.8f * cloud);
        colour = glm::mix(colour, rgb(0x8aa7bd), ridge(mountains, 3, 0.05f, 0.24f));
        return glm::mix(colour, rgb(0x6f9c5a), ridge(hills, 4, 0.01f, 0.11f));
    };
}

void addTable(std::vector<Object>& objects, Rng& rng) {
    const Material oak{wood(rgb(0xc98f55), rgb(0xa56c3a), at(0.3f, -0.2f, 0), 0.16f, draw(rng)), 0.25f, 20};
    objects.push_back({cylinder(at(0, 0, kTable - 0.05f), kTableRadius, 0.05f, 0.03f), oak});
    Shape leg = cylinder(at(0, 0, 0.22f), 0.16f, 0.23f, 0.03f);
    objects.push_back({smoothUnion(std::move(leg), cylinder(at(0, 0, 0.03f), 0.5f, 0.04f, 0.03f), 0.2f), oak});
}

/// A rubber duck at the centre of the table, facing a gap between the other toys.
void addDuck(std::vector<Object>& objects) {
    auto spot = [](float x, float y, float z) { return at(x, z, kTable + y); };
    Shape body = smoothUnion(sphere(spot(0, 0.21f, 0), 0.22f), sphere(spot(-0.2f, 0.26f, 0), 0.12f), 0.18f);
    Shape duck = smoothUnion(std::move(body), sphere(spot(0.13f, 0.52f, 0), 0.155f), 0.08f);
    objects.push_back({std::move(duck), {plain(rgb(0xf7c920)), 0.6f, 20}});
    objects.push_back({capsule(spot(0.25f, 0.49f, -0.035f), spot(0.31f, 0.48f, 0.035f), 0.045f), {plain(rgb(0xe8702a)), 0.3f, 20}});
    for (const float side : {-1.0f, 1.0f}) {
        objects.push_back({sphere(spot(0.235f, 0.575f, side * 0.085f), 0.036f), {plain(rgb(0x20242c)), 0.8f, 24}});
    }
}

/// One toy of each kind on a circle around the duck, each with its own material.
void addToys(std::vector<Object>& objects, Rng& rng) {
    const float start = static_cast<float>(rng.uniform(0, 2 * std::numbers::pi));
    auto place = [&](int index, float height) {
        const float angle =
            start + (static_cast<float>(index) + 0.12f * static_cast<float>(rng.uniform(-1, 1))) * std::numbers::pi_v<float> / 3;
        return at(0.76f * std::cos(angle), 0.76f * std::sin(angle), kTable + height);
    };
    const vec3 apple = place(0, 0.22f);
    objects.push_back({sphere(apple, 0.22f), {plain(rgb(0xd42a2a)), 1, 28}});

    const vec3 ring = place(1, 0.095f);
    objects.push_back({torus(ring, 0.2f, 0.095f), {stripes(rgb(0x2f6fd0), rgb(0xf1f3f5), {1, 0, 0.6f}, 0.19f)}});

    const vec3 box = place(2, 0.19f);
    const float turn = static_cast<float>(rng.uniform(0, 90));
    const Texture squares = checker(rgb(0x2b9a8f), rgb(0xf2ead3), box, 0.13f, turn);
    objects.push_back({rotated(roundedBox(box, vec3(0.19f), 0.04f), {0, 1, 0}, turn), {squares}});

    const vec3 drum = place(3, 0.26f);
    objects.push_back({cylinder(drum, 0.15f, 0.26f, 0.03f), {stripes(rgb(0xe2552b), rgb(0xf7e3b0), {0, 1, 0}, 0.17f), 0.2f, 20}});

    const vec3 pebble = place(4, 0.11f);
    const vec3 lean(0.2f, -0.16f, 0.1f);
    objects.push_back(
        {capsule(pebble - lean * 0.1f, pebble + lean, 0.11f), {marbled(rgb(0x7a3fa0), rgb(0xe9a6d8), 0.16f, draw(rng)), 0.4f, 20}});

    const vec3 snowman = place(5, 0.17f);
    Shape figure = smoothUnion(sphere(snowman, 0.18f), sphere(snowman + vec3(0, -0.26f, 0), 0.12f), 0.06f);
    objects.push_back({std::move(figure), {dotted(rgb(0xeef2f4), rgb(0x3f9b4f), snowman, 0.15f, 0.04f)}});
}

void addBush(std::vector<Object>& objects, vec3 foot, Rng& rng) {
    Shape bush = sphere(foot + vec3(0, -0.18f, 0), 0.24f);
    for (const float angle : {0.3f, 2.4f, 4.5f}) {
        bush = smoothUnion(std::move(bush), sphere(foot + vec3(0.2f * std::cos(angle), -0.14f, 0.2f * std::sin(angle)), 0.17f), 0.08f);
    }
    objects.push_back({std::move(bush), {marbled(rgb(0x2f6b2a), rgb(0x76a83c), 0.22f, draw(rng))}});
}

/// Low objects on the paving, below the cameras' lines of sight.
void addSurroundings(std::vector<Object>& objects, Rng& rng) {
    const float start = static_cast<float>(rng.uniform(0, 2 * std::numbers::pi));
    auto place = [&](int index) {
        const float angle = start + static_cast<float>(index) * 2 * std::numbers::pi_v<float> / 5;
        return at(1.6f * std::cos(angle), 1.6f * std::sin(angle), 0);
    };
    addBush(objects, place(0), rng);
    const vec3 foot = place(1);  // of a mushroom
    objects.push_back({capsule(foot, foot + vec3(0, -0.26f, 0), 0.075f), {plain(rgb(0xf0e6d2))}});
    Shape cap = intersection(sphere(foot + vec3(0, -0.2f, 0), 0.24f), roundedBox(foot + vec3(0, -0.44f, 0), {0.3f, 0.2f, 0.3f}, 0.03f));
    objects.push_back({std::move(cap), {dotted(rgb(0xc9302c), rgb(0xf6f0e6), foot, 0.17f, 0.05f), 0.4f, 20}});
    const Shape stone = smoothUnion(sphere(place(2) + vec3(0, -0.08f, 0), 0.2f), sphere(place(2) + vec3(0.2f, -0.04f, 0.1f), 0.14f), 0.15f);
    objects.push_back({stone, {marbled(rgb(0x7d8288), rgb(0xb9b6ad), 0.2f, draw(rng))}});
    addBush(objects, place(3), rng);
    objects.push_back({sphere(place(4) + vec3(0, -0.2f, 0), 0.2f), {stripes(rgb(0xf4f4f0), rgb(0x3b7dd8), {1, 0.4f, 0}, 0.2f), 0.5f, 20}});
}

}  // namespace

Scene buildGarden(uint64_t seed) {
    Rng rng(seed);
    Scene scene;
    addTable(scene.objects, rng);
    addDuck(scene.objects);
    addToys(scene.objects, rng);
    addSurroundings(scene.objects, rng);
    scene.ground = Material{meadow(rng)};
    scene.dome = Dome{kHorizon, sky(rng)};
    scene.orbit = {
        .target = at(0, 0, 0.55f), .radius = 3.1f, .radiusSwing = 0.07f, .elevation = 24, .elevationSwing = 13, .fieldOfView = 55};
    scene.extent = 1.5f;
    scene.pointCount = 8000;
    return scene;
}

}  // namespace splat::synth
