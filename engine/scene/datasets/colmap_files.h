#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include <splatwright/scene/cameras/lens_models.h>
#include <splatwright/scene/datasets/camera_models.h>
#include <splatwright/scene/gaussians/point.h>

namespace splat {

using ColmapCameras = std::map<uint32_t, Intrinsics>;

/// One registered image of a model, as written.
struct ColmapImage {
    uint32_t id = 0;
    std::string name;
    uint32_t camera = 0;
    glm::dvec4 rotation{1, 0, 0, 0};  ///< w, x, y, z in that order
    glm::dvec3 translation{0};
};

/// The points of a model and their tracks.
struct ColmapPoints {
    struct Observation {
        uint32_t image = 0;  ///< id
        uint32_t point = 0;  ///< index
    };

    std::vector<Point> points;
    std::vector<Observation> observations;  ///< in the order of the points
};

/// The three files of a model in one of its two encodings.
struct ColmapEncoding {
    const char* ending;
    ColmapCameras (*readCameras)(const std::filesystem::path& path);
    std::vector<ColmapImage> (*readImages)(const std::filesystem::path& path);
    ColmapPoints (*readPoints)(const std::filesystem::path& path);
};

extern const ColmapEncoding kColmapBinary;
extern const ColmapEncoding kColmapText;

/// Returns the model. Throws InputError with the name found if it is unknown (null).
const LensModel& requireModel(const LensModel* model, const std::filesystem::path& path, uint32_t camera, const std::string& found);

/// Throws InputError if the camera id exists already.
void addCamera(ColmapCameras& cameras, const std::filesystem::path& path, uint32_t id, const Intrinsics& intrinsics);

/// Throws InputError unless the position is finite.
Point makePoint(const std::filesystem::path& path, uint64_t id, const glm::dvec3& position, std::array<uint8_t, 3> colour);

}  // namespace splat
