#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <splatwright/core/image.h>

namespace splat::prepare {

inline constexpr int kThumbnailWidth = 16, kThumbnailHeight = 12;

/// What choosing among frames needs to know of one.
struct FrameLook {
    double sharpness =
        0;  ///< variance of the Laplacian, squared grey levels (Pech-Pacheco and others 2000, "Diatom autofocusing in brightfield")
    double contrast = 0;                                                          ///< variance of the grey levels
    std::array<uint8_t, size_t{kThumbnailWidth} * kThumbnailHeight> thumbnail{};  ///< mean grey levels of equal boxes
};

/// Of an image of one channel, at least 16x12 pixels.
FrameLook lookOf(const Image8& grey);

/// Mean absolute difference of two frames' thumbnails, grey levels 0..255.
double motionBetween(const FrameLook& a, const FrameLook& b);

/// Indices of the frames to use, ascending, at most `wanted`: the sharpest of each of `wanted` equal parts of the video. Left out are those that are
/// blurred against their neighbours, and those that show what the one before shows.
std::vector<size_t> chooseFrames(std::span<const FrameLook> frames, size_t wanted);

/// Whether no frame is sharp: at this size, the finest detail of all is lost.
bool allBlurred(std::span<const FrameLook> frames);

}  // namespace splat::prepare
