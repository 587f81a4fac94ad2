#pragma once

#include <filesystem>
#include <span>

#include <splatwright/render/kinds/model_kind.h>
#include <splatwright/scene/pictures/blob_file.h>

namespace splat::app {

/// A fitted picture as its file has it. The world's Gaussians, which show it, are in the same order.
struct FittedPicture {
    Blobs blobs;
    BlobEncoding encoding;  ///< of its file; of none: the usual one
    bool isOfFile = true;   ///< else its blobs need not be finite, nor visible
};

/// Throws the errors of readBlobs().
FittedPicture readFittedPicture(const std::filesystem::path& path);

/// That of a model whose file is a checkpoint.
FittedPicture fittedPictureOf(const ModelFile& model);

/// The blobs whose flags (shared::kMark...) have all of `with` and none of `without`, as a file of them decodes.
FittedPicture partOf(const FittedPicture& picture, std::span<const uint8_t> flags, uint32_t with, uint32_t without);

/// Writes the blobs that partOf() has; equal bytes if they are all of a file. Throws Error if the file cannot be written.
void writePart(const std::filesystem::path& path, const FittedPicture& picture, std::span<const uint8_t> flags, uint32_t with,
               uint32_t without);

}  // namespace splat::app
