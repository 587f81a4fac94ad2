#pragma once

#include <functional>
#include <optional>
#include <span>

#include <splatwright/prepare/gps_frame.h>
#include <splatwright/prepare/model_file.h>
#include <splatwright/prepare/similarity.h>

namespace splat::prepare {

/// Moves a model; every image shows the same.
void apply(const Similarity& similarity, Model& model);

/// A plane through most points that is nearly level.
struct Plane {
    glm::dvec3 normal{0};  ///< of length 1, upward
    double offset = 0;     ///< dot(normal, p) of its points
    size_t points = 0;
};

/// The plane that holds most points within `tolerance`, if it holds a fifth of them and its normal is within 25 degrees of `up`. Random sample
/// consensus (Fischler and Bolles 1981) with a fixed seed, then least squares.
std::optional<Plane> dominantPlane(std::span<const glm::dvec3> points, const glm::dvec3& up, double tolerance);

/// Two cameras whose distance is known.
struct KnownDistance {
    std::string first, second;  ///< names of photographs
    double metres = 0;
};

/// Throws InputError unless a known distance is one between two of these photographs: a mistake would only be noticed at the end of all work.
void checkDistance(const std::optional<KnownDistance>& known, std::span<const std::string> photographs);

/// Where a dataset is put: y points down along the dominant plane's normal (without one, along the cameras' mean up), the cameras' mean position is
/// the origin, and the farthest camera is at distance 1, or lengths are metres.
struct SceneFrame {
    Similarity similarity;
    bool plane = false;  ///< up is a plane's normal
    bool metres = false;
    std::optional<GpsFit> gps{};  ///< instead of all that: where GPS puts the cameras
};

/// `up` gives an image's upward direction in its camera's frame. Throws InputError if a named photograph is not in the model or both are in one place.
SceneFrame sceneFrame(const Model& model, const std::function<glm::dvec3(const ModelImage&)>& up,
                      const std::optional<KnownDistance>& known = {});

/// The frame of the images' GPS positions, metres: x is east, y down, z north. `positionOf` gives an image's. Throws InputError like fitGps().
SceneFrame gpsFrame(const Model& model, const std::function<std::optional<GeoPosition>(const ModelImage&)>& positionOf);

}  // namespace splat::prepare
