#include <splatwright/render/backward.h>
#include <splatwright/render/forward.h>
#include <splatwright/render/kinds/blended.h>
#include <splatwright/render/kinds/model_kind.h>
#include <splatwright/scene/formats/formats.h>
#include "kernels/project.h"

namespace splat {

namespace {

void recordProjection(gpu::Commands& c, const PictureJob& job) {
    const kernels::project kernel = withProjection(kernels::project{.frame = job.frame.parameters,
                                                                    .depthKeys = job.frame.depthKeysB,
                                                                    .splatValues = job.frame.splatValues,
                                                                    .kCarried = static_cast<uint32_t>(job.view.carried)},
                                                   job);
    c.dispatchIndirect(withModel(kernel, job.model), job.frame.perGaussian);
}

void recordCopy(gpu::Commands& c, const ModelCopy& copy) {
    splat::recordCopy(c, {copy.from}, {copy.to, copy.first}, copy.count, copy.shDegree);
}

}  // namespace

/// 3D Gaussians of a scene, in kAttributes' parametrisation.
extern const ModelKindRow kGaussiansKind{
    .name = "gaussians",
    .has = [](Attribute) { return true; },
    .recordProjection = recordProjection,
    .recordPicture = recordBlended,
    .recordBackward = recordAccumulation,
    .recordCopy = recordCopy,
    .staged = [](gpu::Device&, const Gaussians&, const ModelKind&) { return std::optional<GaussianModel>(); },
    .extent = [](const Gaussians& numbers, const ModelKind&) { return extentOf(numbers); },
    .read = [](const std::filesystem::path& path) { return ModelFile{.kind = {}, .numbers = readSplats(path), .view = {}}; },
};

}  // namespace splat
