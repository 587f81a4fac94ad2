#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "reference/gradients.h"
#include "reference/project.h"

/// Splats of the blobs of a picture, and how a loss depends on their parameters.
namespace splat::reference {

/// What the parameters mean: a free covariance by its Cholesky factor, or the nine of the Slang playground's gsplat2d-diff.
enum class BlobKind { free, demo };

struct BlobSettings {
    BlobKind kind = BlobKind::free;
    glm::dvec2 picture{1};  ///< size in pixels
    double dilation = 0;    ///< square pixels; free blobs only
    glm::dvec2 scale{1};    ///< of the image that shows the picture
    glm::dvec2 offset{0};
};

/// Centre, shape, colour and opacity of a blob, as they are trained.
inline constexpr std::array<std::string_view, 9> kBlobFields{"centre x", "centre y", "shape 0", "shape 1", "shape 2",
                                                             "red",      "green",    "blue",    "opacity"};
using BlobNumbers = std::array<double, kBlobFields.size()>;

Projected projectBlob(const BlobNumbers& blob, const BlobSettings& settings);

/// Derivatives of a loss by the parameters, from those by the splat, by central differences of the projection.
BlobNumbers blobGradient(const BlobNumbers& blob, const BlobSettings& settings, const ProjectedGradient& by);

}  // namespace splat::reference
