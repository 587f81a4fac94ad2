#include <array>

#include <splatwright/core/rng.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

using glm::vec3;

namespace {

constexpr int kBays = 12;           // along each wall
constexpr float kBay = 2;           // length of a bay
constexpr float kHalfWidth = 2.2f;  // from the middle to a wall
constexpr float kWall = 2.6f;       // height
constexpr float kThickness = 0.15f;
constexpr float kHalfLength = kBays * kBay / 2;
constexpr float kSky = 30;  // radius of the dome

uint32_t draw(Rng& rng) { return static_cast<uint32_t>(rng.next()); }

vec3 pick(Rng& rng, bool bright) {
    constexpr std::array kBright{0xf2ead3u, 0xf7c920u, 0x8fd0c8u, 0xe9a6d8u, 0xd9f0c9u, 0xf4a261u, 0xbcd4f0u};
    constexpr std::array kDark{0x2f6fd0u, 0xd42a2au, 0x2b9a8fu, 0x7a3fa0u, 0x9a6232u, 0x3f7030u, 0x26303cu};
    return rgb(bright ? kBright[rng.below(kBright.size())] : kDark[rng.below(kDark.size())]);
}

/// A pattern of two random colours; bays next to each other have different kinds.
Texture pattern(int kind, vec3 origin, Rng& rng) {
    const vec3 a = pick(rng, true), b = pick(rng, false);
    const auto turn = static_cast<float>(rng.uniform(0, 90));
    switch (kind % 5) {
        case 0: return checker(a, b, origin + vec3(0.1f), 0.32f, turn);
        case 1: return marbled(a, b, 0.3f, draw(rng));
        case 2: return stripes(a, b, {0.3f, 1, 0.4f}, 0.27f);
        case 3: return dotted(a, b, origin, 0.34f, 0.11f);
        default: return wood(a, b, origin + vec3(0, 0, 0.4f), 0.14f, draw(rng));
    }
}

/// Something in front of a bay, at the height of the eyes or below; side is -1 or 1.
void addExhibit(std::vector<Object>& objects, float side, int bay, Rng& rng) {
    const auto height = static_cast<float>(rng.uniform(0.7, 1.6)), shift = static_cast<float>(rng.uniform(-0.4, 0.4));
    const vec3 centre(side * (kHalfWidth - 0.3f), -height, (static_cast<float>(bay) + 0.5f) * kBay - kHalfLength + shift);
    const Material material{pattern(bay + 1, centre, rng), 0.4f, 20};
    switch (rng.below(4)) {
        case 0: return objects.push_back({sphere(centre, 0.24f), material});
        case 1: return objects.push_back({rotated(torus(centre, 0.22f, 0.08f), {0, 0, 1}, 60), material});
        case 2: return objects.push_back({rotated(roundedBox(centre, vec3(0.18f), 0.03f), {0, 1, 0}, 35), material});
        default: return objects.push_back({capsule(centre - vec3(0, 0.25f, 0.1f), centre + vec3(0, 0.25f, 0.1f), 0.12f), material});
    }
}

Texture sky(Rng& rng) {
    const uint32_t clouds = draw(rng);
    return [clouds](const vec3& p) {
        const vec3 direction = p / kSky;
        const vec3 blue = glm::mix(rgb(0xc8e0ee), rgb(0x4f8fd0), glm::smoothstep(0.0f, 0.6f, -direction.y));
        return glm::mix(blue, vec3(1.1f), 0.8f * glm::smoothstep(0.5f, 0.8f, fractalNoise(direction * 4.0f, clouds)));
    };
}

}  // namespace

Scene buildHall(uint64_t seed) {
    Rng rng(seed);
    Scene scene;
    for (const float side : {-1.0f, 1.0f}) {
        for (int bay = 0; bay < kBays; ++bay) {
            const vec3 centre(side * (kHalfWidth + kThickness), -kWall / 2, (static_cast<float>(bay) + 0.5f) * kBay - kHalfLength);
            const vec3 front = centre - vec3(side * kThickness, 0, 0);  // in whose plane the dots of a pattern lie
            Shape wall = roundedBox(centre, {kThickness, kWall / 2, kBay / 2}, 0.02f);
            scene.objects.push_back({std::move(wall), {pattern(bay + (side > 0 ? 2 : 0), front, rng)}});
            addExhibit(scene.objects, side, bay, rng);
        }
        const vec3 end(0, -kWall / 2, side * (kHalfLength + kThickness));
        const vec3 half(kHalfWidth + 2 * kThickness, kWall / 2, kThickness);
        scene.objects.push_back({roundedBox(end, half, 0.02f), {pattern(1, end, rng)}});
    }
    scene.ground = Material{checker(rgb(0xcdb994), rgb(0x6f5a48), {0, -0.25f, 0}, 0.5f, 45)};
    scene.dome = Dome{kSky, sky(rng)};
    const float end = kHalfLength - 1;
    scene.walk =
        Walk{.from = {0, -1.3f, -end}, .to = {0, -1.3f, end}, .heightSwing = 0.25f, .headingSwing = 25, .tiltSwing = 8, .fieldOfView = 58};
    scene.extent = kHalfWidth;
    scene.pointCount = 20'000;
    return scene;
}

}  // namespace splat::synth
