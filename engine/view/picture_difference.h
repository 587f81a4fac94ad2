#pragma once

#include <optional>
#include <span>

#include <splatwright/view/late_answer.h>

namespace splat {

/// Two pictures of one size, R | G << 8 | B << 16 per pixel.
struct PicturePair {
    gpu::BufferSlice first, second;
    glm::uvec2 size{0};

    uint64_t pixels() const { return uint64_t{size.x} * size.y; }
};

/// Compares two pictures on the GPU without waiting, one comparison at a time.
class PictureDifference {
public:
    explicit PictureDifference(gpu::Device& device);

    /// Submits the comparison; the one before must be answered. white: the difference, 0..1, at the colour map's end. keeps: copies both pictures
    /// for the host too. Waits for the device if the buffers must grow.
    void ask(const PicturePair& pair, float white, bool keeps);
    bool busy() const { return late_.busy(); }

    struct Answer {
        glm::uvec2 size{0};
        uint64_t squaredError = 0;  ///< sum over pixels and channels of 0..255
        bool keeps = false;

        /// dB; infinite for equal pictures.
        double psnr() const;
    };
    /// The answer, once.
    std::optional<Answer> answer();
    void finish() { late_.finish(); }

    /// Mean absolute difference of the channels through the colour map inferno, as a picture of the last question's size.
    gpu::BufferSlice picture() const { return difference_; }
    /// The pictures that the last answer kept, until the next question that keeps any.
    std::span<const uint32_t> first() const { return kept(0); }
    std::span<const uint32_t> second() const { return kept(1); }

private:
    void fit(uint64_t pixels, bool keeps);
    std::span<const uint32_t> kept(uint64_t which) const;

    gpu::Device& device_;
    gpu::Buffer difference_, groupSums_, toldSums_, kept_;
    LateAnswer late_;
    Answer asked_;
    uint64_t keptPixels_ = 0;
};

}  // namespace splat
