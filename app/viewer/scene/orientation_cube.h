#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <glm/glm.hpp>

namespace splat::app {

/// Colour of an axis of the world, as Dear ImGui has colours: red, green, blue.
uint32_t axisColour(int axis);

/// A side of the scene, as a face of the orientation cube has it.
struct CubeFace {
    std::string_view name;  ///< "x", "-x", ..., of the axis that points out of it
    const char* label;
    glm::dvec3 normal;
};
std::span<const CubeFace> cubeFaces();
/// Throws InputError for another name.
const CubeFace& cubeFaceByName(std::string_view name);

/// The face that a camera of this rotation (world to camera) sees at a position; nothing beside the cube. at: from the cube's centre, in half edges,
/// x right and y down.
const CubeFace* cubeFaceAt(const glm::dmat3& rotation, const glm::dvec2& at);

/// Where the cube is in a region of the screen between these corners, pixels.
struct CubePlace {
    glm::dvec2 centre;
    double half;  ///< of an edge

    CubePlace(glm::ivec2 low, glm::ivec2 high);
};
/// Draws the cube as a camera of this rotation sees it from far away.
void drawOrientationCube(const glm::dmat3& rotation, const CubePlace& place, const CubeFace* pointed);

}  // namespace splat::app
