#pragma once

#include <array>
#include <optional>

#include <splatwright/gpu/painting.h>
#include <splatwright/view/picture_difference.h>
#include <splatwright/view/world_view.h>
#include "viewer/scene/comparing.h"
#include "viewer/scene/picture_scores.h"

namespace splat::app {

/// The second of two compared pictures, their difference and their scores. Without a comparison there are no buffers and nothing is drawn.
class CompareView {
public:
    CompareView(gpu::Device& device, const primitives::RadixSort& sort, World& world);
    ~CompareView();

    /// Draws the second picture with the camera and settings of the first, whose frame was submitted before.
    void draw(const WorldView& first, const Compared& second);
    /// Reads back what is done without waiting, and compares what has changed. white: Comparing::white. Returns whether there are news.
    bool poll(const WorldView& first, double white);
    /// Whether a picture or a difference is in flight; and whether scores are computed or due.
    bool waiting() const { return drawing_ || (difference_ && difference_->busy()); }
    bool scoring() const { return picture() && (!scores_ || scored_ != shown_); }

    bool isOn() const { return second_.with != CompareWith::nothing; }
    /// Null: there is none.
    const gpu::Texture* picture() const { return isOn() && texture_.size.x > 0 ? &texture_ : nullptr; }
    const gpu::Texture* map(CompareLayout layout) const;
    /// PSNR of the pictures that are shown.
    std::optional<double> psnr() const { return isOn() ? psnr_ : std::nullopt; }
    /// The last scores, which may be those of earlier pictures: see scoring().
    const std::optional<PictureScores>& scores() const { return scores_; }

private:
    /// Numbers of the pictures of a pair.
    struct Pair {
        uint64_t first = 0, second = 0;

        bool operator==(const Pair&) const = default;
    };
    struct FlipPicture {
        gpu::Buffer texels;
        gpu::Texture texture;
    };

    void begin(const Compared& second);
    void compare(const WorldView& first, double white);
    bool takeDifference();
    bool takeScores();
    void showFlip();

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    World& world_;
    Compared second_;
    std::optional<WorldView> view_;
    gpu::BufferSlice groundTruth_;
    std::optional<PictureDifference> difference_;
    PictureScorer scorer_;
    gpu::Texture texture_, differenceTexture_;
    std::array<FlipPicture, 2> flips_;  ///< one is shown while the other is written
    size_t shownFlip_ = 0;
    Pair shown_, asked_, kept_, scored_;  ///< the newest; of the last difference; of the pictures that were kept for scores; of the scores
    double askedWhite_ = 0;               ///< of the last difference
    double nextScore_ = 0;                ///< seconds of a steady clock
    std::optional<double> psnr_;
    std::optional<PictureScores> scores_;
    bool drawing_ = false;
};

}  // namespace splat::app
