#pragma once

#include <span>
#include <vector>

#include <splatwright/core/image.h>
#include "reference/blobs.h"

/// The picture of the Slang playground's gsplat2d-diff and its gradients, tile by tile.
namespace splat::reference {

struct DemoSettings {
    BlobSettings blobs;  ///< of kind demo
    glm::dvec3 background{1};
    bool losesBlobs = false;  ///< a tile draws 256 blobs: those of the lowest index
    bool premultipliesTwice = false;
};

/// Blobs of a tile, front to back. Those of a tile with more than 256 are cut at an alpha of 1/255.
struct DemoTile {
    std::vector<size_t> blobs;
    bool cut = false;
};
DemoTile demoTile(std::span<const BlobNumbers> blobs, const DemoSettings& settings, glm::ivec2 tile);

struct DemoPicture {
    Image<double> colour;    ///< 3 channels
    Image<uint8_t> nearCut;  ///< 1 where single precision may cut elsewhere
};
DemoPicture demoPicture(std::span<const BlobNumbers> blobs, const DemoSettings& settings, int width, int height);

/// Derivatives of a loss by the parameters from those by the picture (3 channels); each pixel's is clamped to +-10.
std::vector<BlobNumbers> demoGradients(std::span<const BlobNumbers> blobs, const DemoSettings& settings, const Image<double>& by);

}  // namespace splat::reference
