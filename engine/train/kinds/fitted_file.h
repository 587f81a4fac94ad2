#pragma once

#include <cstddef>
#include <vector>

#include <splatwright/core/image.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/train/step/trainer.h>

namespace splat {

/// A fit as the .blobs file that its run writes, and what that costs.
struct FittedFile {
    std::vector<std::byte> bytes;
    BlobEncoding encoding;
    size_t blobs = 0;         ///< those that the picture shows
    double bitsPerPixel = 0;  ///< of the file
    double psnr = 0;          ///< of the blobs before they are rounded, dB
    double roundedPsnr = 0;   ///< of those that the file decodes to, dB
};

/// Bytes of the blobs as nine 32-bit numbers each.
size_t rawBytes(size_t blobs);

/// Encodes a trained picture in as few bits as the setting file_loss allows. `wanted`: the picture that is fitted, over the background. Waits for the
/// GPU, which draws the picture nine times.
FittedFile fittedFile(gpu::Device& device, const primitives::RadixSort& sort, const Trainer& trainer, const Image8& wanted);

}  // namespace splat
