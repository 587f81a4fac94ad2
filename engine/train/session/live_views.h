#pragma once

#include <string>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/core/image.h>
#include <splatwright/scene/cameras/camera.h>

namespace splat {

struct TrainingData;

/// A training or test view with its camera in the dataset's frame.
struct LiveView {
    std::string name;
    Camera camera;  ///< of the image used in training
    bool isTest = false;
    Image8 thumbnail;  ///< at most kThumbnail pixels per side
    static constexpr int kThumbnail = 160;
};

/// All views, training views first. Transparent images are composited over the background.
std::vector<LiveView> liveViews(const TrainingData& data, glm::vec3 background);

}  // namespace splat
