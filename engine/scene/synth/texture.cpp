#include <splatwright/scene/synth/texture.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace splat::synth {

using glm::vec2;
using glm::vec3;

namespace {

/// Uniform in [0, 1) for a lattice point.
float latticeValue(int x, int y, int z, uint32_t seed) {
    uint32_t h = seed * 0x9e3779b9u ^ static_cast<uint32_t>(x) * 0x85ebca6bu ^ static_cast<uint32_t>(y) * 0xc2b2ae35u ^
                 static_cast<uint32_t>(z) * 0x27d4eb2fu;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    h ^= h >> 15u;
    return static_cast<float>(h >> 8u) * 0x1p-24f;
}

/// A square wave with smooth edges of about a tenth of the period, derived from a sine wave.
float softSquareWave(float phase) {
    const float wave = std::sin(phase * 2 * std::numbers::pi_v<float>);
    return glm::smoothstep(-0.35f, 0.35f, wave);
}

}  // namespace

vec3 rgb(uint32_t hex) {
    const vec3 encoded = vec3((hex >> 16u) & 255u, (hex >> 8u) & 255u, hex & 255u) / 255.0f;
    return glm::pow(encoded, vec3(2.2f));
}

Texture plain(vec3 colour) {
    return [=](const vec3&) { return colour; };
}

Texture stripes(vec3 a, vec3 b, vec3 axis, float period) {
    const vec3 along = glm::normalize(axis) / period;
    return [=](const vec3& p) { return glm::mix(a, b, softSquareWave(glm::dot(p, along))); };
}

Texture checker(vec3 a, vec3 b, vec3 origin, float size, float degrees) {
    const float c = std::cos(glm::radians(degrees));
    const float s = std::sin(glm::radians(degrees));
    return [=](const vec3& p) {
        const vec3 q = (p - origin) / (2 * size);
        const vec3 sides = 2.0f * vec3(softSquareWave(c * q.x - s * q.z), softSquareWave(q.y), softSquareWave(s * q.x + c * q.z)) - 1.0f;
        return glm::mix(a, b, 0.5f + 0.5f * sides.x * sides.y * sides.z);
    };
}

Texture marbled(vec3 a, vec3 b, float size, uint32_t seed) {
    return [=](const vec3& p) { return glm::mix(a, b, glm::smoothstep(0.3f, 0.7f, fractalNoise(p / size, seed))); };
}

Texture wood(vec3 a, vec3 b, vec3 origin, float ring, uint32_t seed) {
    return [=](const vec3& p) {
        const vec3 q = p - origin;
        const float wobble = noise(q * 1.5f, seed);
        const float wave = std::sin((glm::length(vec2(q.x, q.z)) / ring + wobble) * 2 * std::numbers::pi_v<float>);
        return glm::mix(a, b, 0.5f + 0.5f * wave);
    };
}

Texture dotted(vec3 base, vec3 dot, vec3 origin, float spacing, float radius) {
    return [=](const vec3& p) {
        const vec3 q = (p - origin) / spacing;
        const float reach = glm::length(q - glm::round(q)) * spacing;
        return glm::mix(dot, base, glm::smoothstep(radius * 0.8f, radius * 1.2f, reach));
    };
}

float noise(const vec3& point, uint32_t seed) {
    const vec3 cell = glm::floor(point);
    const vec3 f = point - cell;
    const vec3 w = f * f * (3.0f - 2.0f * f);
    const int x = static_cast<int>(cell.x);
    const int y = static_cast<int>(cell.y);
    const int z = static_cast<int>(cell.z);
    auto edge = [&](int dy, int dz) {
        return glm::mix(latticeValue(x, y + dy, z + dz, seed), latticeValue(x + 1, y + dy, z + dz, seed), w.x);
    };
    return glm::mix(glm::mix(edge(0, 0), edge(1, 0), w.y), glm::mix(edge(0, 1), edge(1, 1), w.y), w.z);
}

float fractalNoise(const vec3& point, uint32_t seed) {
    return (4 * noise(point, seed) + 2 * noise(point * 2.0f, seed + 1) + noise(point * 4.0f, seed + 2)) / 7;
}

}  // namespace splat::synth
