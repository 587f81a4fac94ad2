#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <splatwright/prepare/colmap.h>
#include <splatwright/prepare/colmap_lines.h>
#include <splatwright/prepare/model_file.h>
#include <splatwright/prepare/photographs.h>
#include <splatwright/prepare/stages.h>

namespace splat::prepare {

/// How cameras are placed one after another, or all at once (GLOMAP; COLMAP 4 has it as a command).
enum class Mapper { incremental, global };

struct PosesInput {
    std::filesystem::path images;
    std::filesystem::path masks;  ///< NAME.png per image; empty: none
    std::filesystem::path work;   ///< for databases and models
    std::filesystem::path log;
    std::vector<Photograph> photographs;
    bool sequence = false;  ///< the photographs are frames of a video
    std::string cameraModel;
    Mapper mapper = Mapper::incremental;
    std::function<glm::dvec3(const ModelImage&)> up{};  ///< see sceneFrame(); images have no more than a name and a pose
    std::string key;                                    ///< of what all this was made from
    const Model* known = nullptr;                       ///< cameras and poses of the photographs, if these are known
};

struct Poses {
    Model model;
    std::vector<LeftOut> unregistered;
};

/// Throws Error if the program for this mapper is missing.
void requireMapper(const Colmap& colmap, Mapper mapper);

/// Runs COLMAP's features, matches and mapping, and once more with more effort if fewer than four in five photographs register; finished stages are
/// not repeated. Throws Error if a program fails or no camera pose is found.
Poses computePoses(const Colmap& colmap, const PosesInput& input, Stages& stages, Observer& observer);

/// The known model with points that COLMAP triangulates from matched features; poses stay. Throws Error if a program fails.
Model triangulatePoints(const Colmap& colmap, const PosesInput& input, Stages& stages, Observer& observer);

/// Pairs "A B" per line of photographs that are far apart in the sequence, so that a camera's return closes the loop.
std::string loopPairs(const std::vector<Photograph>& photographs);

/// Why the photographs that are not in the best model are not. `tried`: ids of images that the mapper tried to register.
std::vector<LeftOut> reasonsOfUnregistered(const std::vector<Photograph>& photographs, const std::vector<Model>& models, size_t best,
                                           const std::vector<ExtractedImage>& extracted, const std::set<uint32_t>& tried);

}  // namespace splat::prepare
