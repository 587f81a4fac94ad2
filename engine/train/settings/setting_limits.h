#pragma once

#include <cstdint>

namespace splat {

// Where ranges of settings and options end: what is beyond makes no sense, or is no finite float on the GPU.
inline constexpr uint32_t kMostSteps = 10'000'000;
inline constexpr uint32_t kMostSplats = 1u << 24u;  ///< FrameCapacity::kMostTrained
inline constexpr uint32_t kMostMemory = 1u << 24u;  ///< MiB: 16 TiB
inline constexpr double kHighestRate = 10;          ///< the parameters themselves are about 1
inline constexpr double kHighestSize = 1000;        ///< sizes of the scene or the image
inline constexpr double kHighestWeight = 1000;      ///< in the loss, whose other terms are at most 1

}  // namespace splat
