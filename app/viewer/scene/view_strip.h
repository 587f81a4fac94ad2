#pragma once

#include <optional>
#include <vector>

#include <splatwright/gpu/painting.h>
#include <splatwright/view/picture_difference.h>
#include <splatwright/view/world_view.h>
#include "viewer/scene/training.h"

namespace splat::app {

/// Small pictures of some views at steps along a training, with their PSNR. The model is drawn as it is shown: training does nothing for them.
class ViewStrip {
public:
    ViewStrip(gpu::Device& device, const primitives::RadixSort& sort, World& world);
    ~ViewStrip();

    struct Picture {
        uint32_t step = 0;
        double psnr = 0;  ///< dB against the view's thumbnail
        gpu::Buffer texels;
        gpu::Texture texture;
    };
    struct Row {
        size_t view = 0;
        std::vector<Picture> pictures;  ///< in the order of steps
    };
    static constexpr size_t kMostViews = 12;   ///< test views if there are any, evenly chosen
    static constexpr uint32_t kPictures = 24;  ///< along a whole run

    /// Draws the next picture if one is due, without waiting. Returns whether there is a new one.
    bool update(Training& training);
    const std::vector<Row>& rows() const { return rows_; }
    /// The row whose last picture has the lowest PSNR; null before the first.
    const Row* worst() const;

private:
    void begin(const Training& training);
    bool isDue(const Training& training) const;
    void draw(Training& training);
    void compare(Training& training);
    bool takeCompared(Training& training);

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    World& world_;
    std::optional<WorldView> view_;  ///< while a round of pictures is drawn
    PictureDifference difference_;
    std::vector<Row> rows_;
    uint64_t data_ = 0;       ///< LiveState::dataGeneration of the rows
    uint32_t roundStep_ = 0;  ///< of the round that is drawn, or was last
    size_t next_ = 0;         ///< row that is drawn next
    bool fails_ = false;      ///< there was no memory
};

/// Views of a strip: test views if there are any, at most so many.
std::vector<size_t> stripViews(std::span<const LiveView> views, size_t atMost);
/// Steps between two pictures of a run of so many steps.
uint32_t stripInterval(uint32_t steps);

}  // namespace splat::app
