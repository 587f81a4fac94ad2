#include <splatwright/scene/datasets/panorama.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace splat {
namespace {

/// From the panorama's frame to the face's. Rows are the face's axes: right, down and forward.
glm::dmat3 faceRotation(CubeFace face) {
    using glm::dmat3;
    switch (face) {
        case CubeFace::front: return dmat3(1);
        case CubeFace::right: return glm::transpose(dmat3(0, 0, -1, 0, 1, 0, 1, 0, 0));
        case CubeFace::back: return glm::transpose(dmat3(-1, 0, 0, 0, 1, 0, 0, 0, -1));
        case CubeFace::left: return glm::transpose(dmat3(0, 0, 1, 0, 1, 0, -1, 0, 0));
        case CubeFace::up: return glm::transpose(dmat3(1, 0, 0, 0, 0, 1, 0, -1, 0));
        case CubeFace::down: return glm::transpose(dmat3(1, 0, 0, 0, 0, -1, 0, 1, 0));
    }
    return dmat3(1);
}

}  // namespace

void divideIntoFaces(Dataset& dataset) {
    std::vector<View> views;
    std::vector<ViewUse> uses;
    for (size_t i = 0; i < dataset.views.size(); ++i) {
        const size_t faces = dataset.views[i].distortion.panorama() ? kCubeFaces.size() : 1;
        if (!dataset.ownUses.empty()) uses.insert(uses.end(), faces, dataset.ownUses[i]);
        if (faces == 1) views.push_back(std::move(dataset.views[i]));
        for (size_t face = 0; faces > 1 && face < faces; ++face) {
            View& view = views.emplace_back(dataset.views[i]);
            view.name += fmt::format("/{}", kCubeFaces.at(face));
            view.distortion.face = static_cast<CubeFace>(face);
        }
    }
    dataset.views = std::move(views);
    dataset.ownUses = std::move(uses);
}

Camera faceCamera(const Camera& panorama, CubeFace face) {
    const int side = std::max(1, static_cast<int>(std::lround(panorama.width / std::numbers::pi)));
    Camera camera{.width = side, .height = side, .fx = 0.5 * side, .fy = 0.5 * side, .cx = 0.5 * side, .cy = 0.5 * side};
    const glm::dmat3 turn = faceRotation(face);
    camera.rotation = turn * panorama.rotation;
    camera.translation = turn * panorama.translation;
    return camera;
}

Camera panoramaCamera(int width, int height) {
    return {.width = width,
            .height = height,
            .fx = 0.5 * width / std::numbers::pi,
            .fy = height / std::numbers::pi,
            .cx = 0.5 * width,
            .cy = 0.5 * height};
}

}  // namespace splat
