#include <splatwright/scene/formats/chunk_order.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <splatwright/core/threads.h>
#include <splatwright/scene/clusters/float_sort.h>
#include <splatwright/scene/gaussians/morton.h>

namespace splat {
namespace {

constexpr size_t kPartChunks = 128;  // of a part, which one thread divides; 512 leave no less error
constexpr size_t kLeastPart = 8;     // of a cut: an eighth of the chunks at least, so that cuts are few

struct Box {
    glm::vec3 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};

    void add(const Box& other) { low = glm::min(low, other.low), high = glm::max(high, other.high); }
    /// The mean square of rounding errors is a fixed part of this.
    double squaredSize() const {
        const glm::dvec3 size = glm::dvec3(high) - glm::dvec3(low);
        return glm::dot(size, size);
    }
};

/// Divides points at multiples of a chunk, each time where the least error is left, as ray tracers build their trees by surface area.
class Division {
public:
    /// `order`: indices of the points to divide, which get their new order.
    Division(std::span<const glm::vec3> points, std::span<uint32_t> order, size_t chunk) : chunk_(chunk), before_(order.size()) {
        const std::vector<uint32_t> given(order.begin(), order.end());
        for (const uint32_t i : given) points_.push_back(points[i]);
        for (int axis = 0; axis < 3; ++axis) lists_[static_cast<size_t>(axis)] = sortedAlong(axis);
        divide(0, given.size());
        std::ranges::transform(lists_[0], order.begin(), [&](uint32_t i) { return given[i]; });
    }

private:
    struct Cut {
        size_t axis = 0, chunks = 0;
        double error = std::numeric_limits<double>::infinity();
    };

    std::vector<uint32_t> sortedAlong(int axis) const {
        std::vector<uint32_t> list(points_.size());
        std::iota(list.begin(), list.end(), 0u);
        sortByFloat(list, [&](uint32_t i) { return points_[i][axis]; });
        return list;
    }

    void divide(size_t first, size_t end) {
        if (end - first <= chunk_) return;
        const Cut cut = bestCut(first, end);
        const size_t middle = first + cut.chunks * chunk_;
        for (size_t i = first; i < end; ++i) before_[lists_[cut.axis][i]] = i < middle;
        for (auto& list : lists_) {
            std::stable_partition(list.begin() + static_cast<ptrdiff_t>(first), list.begin() + static_cast<ptrdiff_t>(end),
                                  [this](uint32_t i) { return before_[i] != 0; });
        }
        divide(first, middle);
        divide(middle, end);
    }

    Cut bestCut(size_t first, size_t end) const {
        Cut best;
        for (size_t axis = 0; axis < lists_.size(); ++axis) {
            const std::vector<Box> boxes = boxesAlong(axis, first, end);
            const size_t count = boxes.size(), least = std::max<size_t>(1, count / kLeastPart);
            std::vector<double> behind(count);  // squared size of this chunk and all behind it
            Box box;
            for (size_t c = count; c-- > 0; behind[c] = box.squaredSize()) box.add(boxes[c]);
            box = {};
            for (size_t c = 1; c <= count - least; ++c) {
                box.add(boxes[c - 1]);
                const double error = static_cast<double>(c) * box.squaredSize() + static_cast<double>(count - c) * behind[c];
                if (c >= least && error < best.error) best = {axis, c, error};
            }
        }
        return best;
    }

    /// Of each chunk, were the points cut along this axis only.
    std::vector<Box> boxesAlong(size_t axis, size_t first, size_t end) const {
        std::vector<Box> boxes((end - first + chunk_ - 1) / chunk_);
        for (size_t i = first; i < end; ++i) {
            const glm::vec3& point = points_[lists_[axis][i]];
            boxes[(i - first) / chunk_].add({point, point});
        }
        return boxes;
    }

    size_t chunk_;
    std::vector<glm::vec3> points_;
    std::array<std::vector<uint32_t>, 3> lists_;  // all points, in each part in the order along an axis
    std::vector<uint8_t> before_;                 // the cut, by point
};

}  // namespace

std::vector<uint32_t> chunkOrder(std::span<const glm::vec3> points, size_t chunk) {
    std::vector<uint32_t> order = mortonOrder(points);
    parallelSlices(order.size(), kPartChunks * chunk,
                   [&](size_t first, size_t end) { const Division division(points, std::span(order).subspan(first, end - first), chunk); });
    return order;
}

}  // namespace splat
