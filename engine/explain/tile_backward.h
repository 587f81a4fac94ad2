#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <splatwright/explain/tile_frame.h>
#include <splatwright/render/lane_counts.h>
#include <splatwright/train/step/accumulation_choice.h>

namespace splat::explain {

/// Words of a splat's gradient that training sums: mean, conic, opacity and colour.
inline constexpr uint32_t kTracedWords = 9;

/// How the gradient of one splat of the list is summed over the tile's pixels: a binary tree in groupshared memory.
struct TreeTrace {
    uint32_t place = 0;            ///< in the tile's list
    std::vector<float> unclamped;  ///< [word * kTilePixels + thread]: the pixels' gradients
    /// Leaves first: [word * threads + thread] of level l with kTilePixels >> l threads. Leaves are the gradients, clamped if that was wanted.
    std::vector<std::vector<float>> levels;
};

/// What a method of the accumulation table does for this tile alone.
struct MethodTrace {
    std::string_view name, help;
    std::optional<uint64_t> additions;  ///< atomic additions to memory; none if the method does not count them
    std::vector<float> gradients;       ///< [place * kTracedWords + word]
};

/// Additions by compare and swap in the whole picture that had to be repeated, because another thread had come first.
struct RetryTrace {
    std::string_view method;
    uint64_t additions = 0;         ///< that succeeded, as all do in the end
    uint64_t retries = 0;           ///< of all splats
    std::vector<uint32_t> bySplat;  ///< of the splats of the tile's list
};

/// The backward pass of one tile.
class TileBackward {
public:
    /// `colourGradients`: float3 per pixel of the picture, dL/dcolour, such as photometricGradient(). `clamp`: pixels' gradients are clamped to +-10, as
    /// with `clamp_gradients`.
    TileBackward(const TileFrame& tile, const gpu::Buffer& colourGradients, bool clamp = false);

    const TileFrame& tile() const { return tile_; }
    bool clamps() const { return clamp_; }
    /// dL/dcolour of the tile's pixels in the order of threads; 0 outside the picture.
    const std::vector<glm::vec3>& colourGradients() const { return ofPixels_; }
    /// Blending weight at each pixel of the tile: [place * kTilePixels + thread], of the splats that are reached.
    const std::vector<float>& weights() const { return weights_; }
    /// The tile's sums: [place * shared::kGradientWords + word].
    const std::vector<float>& sums() const { return sums_; }

    TreeTrace tree(uint32_t place) const;
    std::vector<MethodTrace> methods() const;
    /// Gradients of the tile's splats by all pixels of the picture, as an update reads them: [place * kTracedWords + word]. The method does not start
    /// from checkpoints.
    std::vector<float> gradients(const AccumulationMethod& method) const;
    std::vector<RetryTrace> retries() const;
    /// Pairs of a subgroup and a splat by active lanes, in this tile alone; empty if the device has no subgroups to sum over.
    LaneCounts lanes() const;

private:
    template <class Work>
    auto withBuffers(const AccumulationRow& row, const Work& work) const;
    /// Walks the tile on the device, and keeps the tree of the splat at this place there.
    void trace(uint32_t place) const;
    TreeTrace readTree(uint32_t place) const;
    template <class Kernel>
    RetryTrace retriesOf(const char* method) const;

    const TileFrame& tile_;
    bool clamp_;
    const gpu::Buffer& colourGradients_;
    gpu::Buffer traced_, weightWords_, sumWords_, unclamped_, levels_;
    std::vector<glm::vec3> ofPixels_;
    std::vector<float> weights_, sums_;
};

}  // namespace splat::explain
