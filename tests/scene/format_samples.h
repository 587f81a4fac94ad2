#pragma once

#include <functional>
#include <map>

#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/scene/pictures/flat_gaussians.h>
#include "blob_samples.h"
#include "compressed_ply_samples.h"
#include "gltf_samples.h"
#include "ksplat_samples.h"
#include "page_samples.h"
#include "point_samples.h"
#include "sog_samples.h"
#include "splat_samples.h"
#include "spz_samples.h"
#include "usda_samples.h"

namespace splat::test {

/// Of a picture's bytes and of its flat splats other tests say more (blob_file_test.cpp, flat_gaussians_test.cpp).
inline SplatSample blobsSample(size_t count) {
    const Blobs blobs = pictureLikeBlobs(count, false);
    return {"blended", textOf(encodeBlobs(blobs, {})), flatGaussians(roundedBlobs(blobs, {})), kTurnedSteps};
}

/// By the name of the row; the first sample of each holds one splat, the last several; a PLY may also have none.
inline const std::map<std::string, std::function<std::vector<SplatSample>()>> kSplatSamples{
    {"PLY",
     [] {
         return std::vector{plySample(1, 0), plySample(0, 3), plySample(5, 1), plySample(5, 2), plySample(5, 3)};
     }},
    {"compressed PLY",
     [] {
         return std::vector{compressedPlySample(1, 1), compressedPlySample(0, 3), compressedPlySample(7, 0), compressedPlySample(256, 2),
                            compressedPlySample(600, 3)};
     }},
    {".splat",
     [] {
         return std::vector{splatSample(1), splatSample(9)};
     }},
    {".ksplat",
     [] {
         return std::vector{ksplatSample(1, 1, 1), ksplatSample(1, 0, 3), ksplatSample(9, 0, 2), ksplatSample(9, 1, 0),
                            ksplatSample(9, 1, 2), ksplatSample(9, 2, 1), ksplatSample(9, 2, 3)};
     }},
    {"SOG",
     [] {
         return std::vector{sogSample(1, 1, 0), sogSample(5, 2, 0),   sogSample(5, 2, 1),
                            sogSample(5, 1, 2), sogSample(300, 2, 3), sogSample(70, 2, 2)};
     }},
    {"GLB",
     [] {
         return std::vector{glbSample(1, 1),           glbSample(5, 0),          glbSample(5, 2), glbSpzSample(5, 0, true),
                            glbSpzSample(5, 3, false), glbSpzSample(5, 2, true), glbSample(5, 3)};
     }},
    {"glTF",
     [] {
         return std::vector{gltfSample(1, 1), gltfSample(5, 3)};
     }},
    {".blobs",
     [] {
         return std::vector{blobsSample(1), blobsSample(9)};
     }},
    {"COLMAP points",
     [] {
         return std::vector{colmapPointsSample(1), colmapPointsSample(2), colmapPointsSample(9)};
     }},
    {"COLMAP text points",
     [] {
         return std::vector{colmapTextPointsSample(1), colmapTextPointsSample(9)};
     }},
    {"page",
     [] {
         return std::vector{pageSample(1, 0), pageSample(5, 2)};
     }},
    {"OpenUSD",
     [] {
         return std::vector{usdaSample(1, 1), usdaSample(0, 0), usdaSample(5, 0), usdaSample(5, 2), usdaSample(300, 3)};
     }},
    {"SPZ",
     [] {
         return std::vector{spzSample(1, 3, 1), spzSample(5, 1, 0), spzSample(5, 2, 2),   spzSample(5, 3, 3),
                            spzSample(5, 3, 0), spzSample(1, 4, 1), spzSample(300, 4, 3), spzSample(5, 4, 0)};
     }},
};

/// A row as part of a test's name.
inline std::string rowName(const testing::TestParamInfo<const SplatFormat*>& row) {
    std::string name = row.param->name;
    std::erase_if(name, [](char c) { return !std::isalnum(c); });
    return name;
}

}  // namespace splat::test
