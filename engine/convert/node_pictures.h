#pragma once

#include <functional>
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

/// Splats [first, first + count) of a model, in a box.
struct PicturedPart {
    SplatBox box;
    uint32_t first = 0, count = 0;
};

/// Draws parts of a model alone, from three sides, and compares them with what was drawn of the same parts before. Waits once for all parts.
class NodePictures {
public:
    /// For so many parts of at most so many splats each.
    NodePictures(gpu::Device& device, const primitives::RadixSort& sort, uint32_t parts, uint32_t splats);

    void keep(const GaussianModel& model, int shDegree, std::span<const PicturedPart> parts);
    /// A difference per part, in the order of keep().
    std::vector<LevelDifference> compare(const GaussianModel& model, int shDegree, std::span<const PicturedPart> parts);

private:
    static constexpr uint32_t kSides = 3;

    /// Calls after(commands, picture) after each picture, which are numbered side by side, part by part.
    void draw(const GaussianModel& model, int shDegree, std::span<const PicturedPart> parts,
              const std::function<void(gpu::Commands&, uint32_t)>& after);

    gpu::Device& device_;
    Forward forward_;
    GaussianModel model_;
    FrameBuffers frame_;
    gpu::Buffer views_, counts_, references_, differences_;
};

/// What the sums of all sides' blocks say. pixel: size of a pixel in world units.
LevelDifference differenceOf(std::span<const shared::PictureDifference> blocks, float pixel);

}  // namespace splat
