#pragma once

#include <array>
#include <span>
#include <vector>

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/forward.h>
#include <splatwright/shared/convert.h>

namespace splat {

/// A box of splats that is looked at alone.
struct SplatBox {
    glm::vec3 low{0}, high{0};

    glm::vec3 centre() const { return (low + high) * 0.5f; }
    float radius() const { return 0.5f * glm::distance(low, high); }
};

/// How a level of detail differs from the finest one in pictures.
struct LevelDifference {
    float pixelSize = 0;  ///< world units: seen with pixels of this size and more, it looks the same
    float relative = 0;   ///< squared difference at full size, relative to the picture's squares
};

/// Draws parts of a model alone, from three sides, and compares them with what was drawn of the same part before. Waits for each.
class NodePictures {
public:
    /// For so many parts of at most so many splats each.
    NodePictures(gpu::Device& device, const primitives::RadixSort& sort, uint32_t parts, uint32_t splats);

    /// Splats [first, first + count) of a model.
    struct Part {
        const GaussianModel& model;
        uint32_t first = 0, count = 0;
        int shDegree = 0;
    };
    void keep(uint32_t slot, const SplatBox& box, const Part& part);
    LevelDifference compare(uint32_t slot, const SplatBox& box, const Part& part);

private:
    static constexpr uint32_t kSides = 3;

    void load(const SplatBox& box, const Part& part);
    void recordCopy(gpu::Commands& commands, const Part& part) const;

    gpu::Device& device_;
    Forward forward_;
    GaussianModel model_;
    FrameBuffers frame_;
    gpu::Buffer views_, references_, differences_;
};

/// What the sums of all sides' blocks say. pixel: size of a pixel in world units.
LevelDifference differenceOf(std::span<const shared::PictureDifference> blocks, float pixel);

}  // namespace splat
