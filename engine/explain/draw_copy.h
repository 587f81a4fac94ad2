#pragma once

#include <splatwright/render/model.h>

namespace splat::explain {

/// Gaussians of a model as one of their own, for a draw: it looks at all coefficients of colour, and those above the degree, which may never have been
/// written, are 0 here. `count`: at least 1.
GaussianModel copyForDraw(gpu::Device& device, const ModelPlace& from, uint32_t count, int shDegree);

}  // namespace splat::explain
