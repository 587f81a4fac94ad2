#include <splatwright/prepare/sparse_scene.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/scene/datasets/camera_models.h>

namespace splat::prepare {

Lens lensOf(const Model& model, const ModelImage& image) {
    const auto camera = std::ranges::find(model.cameras, image.camera, &ModelCamera::id);
    if (camera == model.cameras.end()) throw Error("image {}: has no camera {}", image.id, image.camera);
    Intrinsics intrinsics = makeIntrinsics(fmt::format("camera {}", camera->id), *findLensModel(camera->model), camera->width,
                                           camera->height, camera->parameters);
    intrinsics.camera.rotation = glm::mat3_cast(image.rotation);
    intrinsics.camera.translation = image.translation;
    return {intrinsics.camera, intrinsics.distortion};
}

}  // namespace splat::prepare
