#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <splatwright/scene/synth/shape.h>
#include <splatwright/scene/synth/texture.h>

namespace splat::synth {

/// World space has y down, as cameras do: up is -y, the ground is y = 0, and the height is -y.
inline constexpr glm::vec3 kUp{0, -1, 0};

struct Material {
    Texture albedo;
    float gloss = 0;       ///< 0 (matte) to 1 (lacquer): strength of the sun's highlight and of the sky's reflection
    float shininess = 24;  ///< Blinn-Phong exponent; much sharper highlights are beyond spherical harmonics of degree 3
};

struct Object {
    Shape shape;
    Material material;
};

/// An unlit sphere around the scene: sky and horizon at a finite distance, so that splats can represent them.
struct Dome {
    float radius = 0;
    Texture colour;
};

struct Light {
    glm::vec3 toSun{0.5f, -0.75f, -0.4f};  ///< any length
    glm::vec3 sun{2.5f, 2.35f, 2.0f};
    glm::vec3 sky{0.55f, 0.68f, 0.9f};
    glm::vec3 bounce{0.3f, 0.28f, 0.22f};  ///< light from below
};

/// The cameras' orbit around the scene.
struct Orbit {
    glm::vec3 target{0};
    float radius = 1;          ///< mean distance to the target
    float radiusSwing = 0;     ///< fraction of the radius
    float elevation = 0;       ///< degrees above the target
    float elevationSwing = 0;  ///< amplitude, degrees
    float fieldOfView = 55;    ///< degrees, across the image's longer side
};

/// Cameras that walk through the scene and look outwards, at what is near: each sees little of it.
struct Walk {
    glm::vec3 from{0}, to{0};  ///< of the eyes; level
    float heightSwing = 0;     ///< up and down
    float headingSwing = 0;    ///< degrees to either side of straight to the right
    float tiltSwing = 0;       ///< degrees up and down
    float fieldOfView = 55;    ///< degrees, across the picture's longer side
};

/// A part of the scene that cameras of the orbit or walk never see.
struct Region {
    Orbit orbit;            ///< of the cameras that see it
    int viewpoints = 1;     ///< of the training views; further views repeat them, so that more views hold no more information
    size_t pointCount = 0;  ///< structure-from-motion points to write
};

struct Scene {
    std::vector<Object> objects;
    std::optional<Material> ground;
    std::optional<Dome> dome;  ///< without one, images are transparent where no object is hit
    Light light;
    Orbit orbit;
    std::optional<Walk> walk;  ///< instead of the orbit
    std::optional<Region> region;
    float extent = 1;       ///< rough radius of the subject
    size_t pointCount = 0;  ///< structure-from-motion points to write
};

Scene buildGarden(uint64_t seed);
Scene buildObject(uint64_t seed);
Scene buildHall(uint64_t seed);
Scene buildPavilion(uint64_t seed);

}  // namespace splat::synth
