#pragma once

#include <functional>

#include <splatwright/core/image.h>
#include <splatwright/scene/pictures/blob_file.h>

namespace splat {

/// The fewest bits whose rounding changes the drawn picture by a mean squared difference of at most about `most`. Each attribute's share is measured
/// once, and taken to fall by a factor of four per bit.
BlobEncoding bitsFor(const Blobs& blobs, const std::function<ImageF(const Blobs&)>& draw, double most);

/// The mean squared difference that lowers a PSNR by so many dB, if the differences are independent of the errors.
double differenceThatCosts(double psnr, double decibels);

}  // namespace splat
