#pragma once

#include <array>
#include <memory>

#include <splatwright/scene/pictures/blobs.h>
#include <splatwright/train/model/trained_kind.h>

namespace splat {

inline constexpr const char* kFitFile = "fit.png";
inline constexpr const char* kBlobsFile = "picture.blobs";
inline constexpr std::array kPictureFiles{kFitFile, kBlobsFile};

/// TrainedKindRow::results of blobs: the fit, its compact file, and a strip with a row per evaluation.
std::unique_ptr<KindResults> pictureResults(gpu::Device& device, const primitives::RadixSort& sort, const SessionData& data);

/// A picture at its own size.
ImageF renderBlobs(gpu::Device& device, const primitives::RadixSort& sort, const Blobs& blobs);

}  // namespace splat
