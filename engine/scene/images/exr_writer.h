#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <splatwright/core/image.h>

namespace splat {

/// How an EXR file stores numbers.
enum class ExrFloats : uint8_t { half, single };

inline constexpr float kLargestHalf = 65504;

/// Throws InputError if this build was made without OpenEXR.
void requireExr();

/// Writes the image's channels by these names (at least 1; one name a channel, all different) as OpenEXR of scan lines with lossless ZIP compression,
/// to a temporary that is then renamed. Numbers are stored as they are: single ones exactly, half ones rounded to 11 bits. Throws InputError, with
/// pixel, channel and number, for one that half floats do not reach; Error if the file cannot be written.
void writeExr(const std::filesystem::path& path, const ImageF& image, std::span<const std::string> channels, ExrFloats floats);

}  // namespace splat
