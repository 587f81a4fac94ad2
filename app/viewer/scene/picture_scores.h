#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace splat::app {

/// How similar two pictures are as they are shown, with 8 bits per channel.
struct PictureScores {
    glm::uvec2 size{0};
    double psnr = 0;  ///< dB; infinite for equal pictures
    double ssim = 0;
    double flip = 0;                ///< mean
    std::vector<uint32_t> flipMap;  ///< FLIP per pixel, 0 to 1, through the colour map inferno
};

/// R | G << 8 | B << 16 per pixel. Takes a second for a screen: for other threads.
PictureScores scoresOf(std::span<const uint32_t> first, std::span<const uint32_t> second, glm::uvec2 size);

/// Computes scores on another thread, one pair at a time.
class PictureScorer {
public:
    /// The pictures must stay until the scores are taken.
    void start(std::span<const uint32_t> first, std::span<const uint32_t> second, glm::uvec2 size);
    bool busy() const { return running_.valid(); }
    /// The scores, once.
    std::optional<PictureScores> poll();
    /// Waits for the other thread.
    void finish();

private:
    std::future<PictureScores> running_;
};

}  // namespace splat::app
