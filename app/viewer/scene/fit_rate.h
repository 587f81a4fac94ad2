#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <vector>

#include <splatwright/gpu/device.h>
#include <splatwright/primitives/radix_sort.h>

namespace splat::app {

class Training;

/// What a fit costs as the file that its run would write at a step, and how near it is to the picture.
struct FitPoint {
    uint32_t step = 0;
    size_t blobs = 0;         ///< those that the picture shows
    size_t bytes = 0;         ///< of the file
    size_t rawBytes = 0;      ///< of the blobs as 32-bit numbers
    double bitsPerPixel = 0;  ///< of the file
    double psnr = 0;          ///< dB
    double filePsnr = 0;      ///< of what the file decodes to, dB
};

/// Measures a fit along its training, on the session's thread between two steps: at some steps of the run, a tenth of its time at most, and where it
/// rests.
class FitRate {
public:
    FitRate(gpu::Device& device, const primitives::RadixSort& sort) : device_(device), sort_(sort) {}

    /// Takes what has been measured, and asks for more where it is due. Returns whether there is something new to show. Throws nothing: a problem
    /// ends the measurements of a step.
    bool update(Training& training);
    /// Ascending by step.
    std::span<const FitPoint> points() const { return points_; }
    /// Whether the step at which training rests is still to be measured.
    bool awaits(const Training& training) const;

private:
    bool take();
    bool isDue(const Training& training) const;
    void ask(Training& training);

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    std::vector<FitPoint> points_;
    std::future<FitPoint> next_;
    uint32_t asked_ = 0;                  ///< step at which the last one was asked for
    double askedAt_ = 0, notBefore_ = 0;  ///< seconds of the clock
};

}  // namespace splat::app
