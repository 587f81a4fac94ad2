#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/scene/cameras/lens_models.h>

namespace splat::prepare {

// A model of COLMAP with all that its binary files hold, so that it can be moved and written again (COLMAP's documentation, "Output Format").

struct ModelCamera {
    uint32_t id = 0;
    int32_t model = 0;  ///< LensModel::id
    uint64_t width = 0, height = 0;
    std::vector<double> parameters{};
};

/// A registered image; a world point p is rotation * p + translation in its camera's frame.
struct ModelImage {
    struct Keypoint {
        double x = 0, y = 0;
        uint64_t point = 0;  ///< id of the point, or -1
    };
    uint32_t id = 0;
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 translation{0};
    uint32_t camera = 0;
    std::string name{};
    std::vector<Keypoint> keypoints{};

    glm::dvec3 position() const { return -(glm::conjugate(rotation) * translation); }
};

struct ModelPoint {
    struct Observation {
        uint32_t image = 0, keypoint = 0;
    };
    uint64_t id = 0;
    glm::dvec3 position{0};
    std::array<uint8_t, 3> colour{};
    double error = 0;  ///< mean reprojection error, pixels
    std::vector<Observation> track{};
};

struct Model {
    std::vector<ModelCamera> cameras;
    std::vector<ModelImage> images;
    std::vector<ModelPoint> points;
};

/// Reads cameras.bin, images.bin and points3D.bin. Throws InputError naming the file and the property.
Model readModel(const std::filesystem::path& folder);

/// Writes the three files, each atomically. Throws Error.
void writeModel(const std::filesystem::path& folder, const Model& model);

/// Whether a folder has a model, complete or not.
bool hasModel(const std::filesystem::path& folder);

}  // namespace splat::prepare
