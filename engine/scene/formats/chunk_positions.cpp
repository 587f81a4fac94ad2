#include <splatwright/scene/formats/chunk_positions.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/chunk_order.h>
#include <splatwright/scene/formats/compressed_ply.h>

namespace splat {
namespace {

/// Bounds of numbers that are rounded to steps between them.
struct Ends {
    float low, high;
    double error;
};

/// The sum of squares of what rounding changes. Numbers are from `low` to `high`, or less than half a step beyond.
double roundingError(std::span<const float> values, float low, float high, float last) {
    constexpr size_t kLanes = 8;  // sums of their own, which a compiler may add at the same time
    const float perStep = last / (high - low), step = (high - low) / last;
    const auto error = [&](float value) {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings): the sum is never negative, and lround() would be a call
        const float nearest = static_cast<float>(static_cast<int>((value - low) * perStep + 0.5f));
        const float difference = (value - low) - nearest * step;
        return difference * difference;
    };
    std::array<float, kLanes> sums{};
    size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes)
        for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += error(values[i + lane]);
    for (; i < values.size(); ++i) sums[0] += error(values[i]);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Bounds that are moved by less than half a step, either way, move all steps between them: those of a few, and the numbers' own, that are closest to
/// the numbers. The least and the largest number still become the bounds, so that these are found again when what is read is written. `last`: number
/// of the last step; `tries`: per end.
Ends closestEnds(std::span<const float> values, float last, int tries) {
    const auto [low, high] = std::ranges::minmax(values);
    if (low == high) return {low, high, 0};
    Ends best{low, high, roundingError(values, low, high, last)};
    const float step = (high - low) / last;
    const auto moved = [&](int i) { return step * ((static_cast<float>(i) + 0.5f) / static_cast<float>(tries) - 0.5f); };
    for (int below = 0; below < tries; ++below) {
        for (int above = 0; above < tries; ++above) {
            const float from = low - moved(below), to = high + moved(above);
            if (const double error = roundingError(values, from, to, last); error < best.error) best = {from, to, error};
        }
    }
    return best;
}

using Bounds = ChunkedPositions::Bounds;

Bounds boundsOf(std::span<const glm::vec3> means, std::span<const uint32_t> splats, int tries) {
    Bounds bounds{};
    std::array<float, kChunkSplats> values;
    for (int axis = 0; axis < 3; ++axis) {
        std::ranges::transform(splats, values.begin(), [&](uint32_t i) { return means[i][axis]; });
        const Ends ends = closestEnds(std::span(values).first(splats.size()), kPositionSteps[axis], tries);
        bounds.low[axis] = ends.low, bounds.high[axis] = ends.high, bounds.error += ends.error;
    }
    return bounds;
}

std::vector<Bounds> boundsIn(std::span<const uint32_t> order, std::span<const glm::vec3> means, int tries) {
    std::vector<Bounds> bounds((means.size() + kChunkSplats - 1) / kChunkSplats);
    parallelSlices(means.size(), kChunkSplats, [&](size_t first, size_t end) {
        bounds[first / kChunkSplats] = boundsOf(means, order.subspan(first, end - first), tries);
    });
    return bounds;
}

double errorIn(std::span<const uint32_t> order, std::span<const glm::vec3> means) {
    const std::vector<Bounds> bounds = boundsIn(order, means, 0);
    return std::accumulate(bounds.begin(), bounds.end(), 0.0, [](double sum, const Bounds& chunk) { return sum + chunk.error; });
}

/// y has half of the other axes' steps, so a chunk is half as high as wide.
std::vector<uint32_t> orderOfSmallChunks(std::span<const glm::vec3> means) {
    std::vector<glm::vec3> stretched(means.begin(), means.end());
    for (glm::vec3& mean : stretched) mean.y *= kPositionSteps.x / kPositionSteps.y;
    return chunkOrder(stretched, kChunkSplats);
}

}  // namespace

ChunkedPositions chunkedPositions(std::span<const glm::vec3> means) {
    constexpr int kTries = 4;  // twice as many leave 1 % less error
    std::vector<uint32_t> kept(means.size());
    std::iota(kept.begin(), kept.end(), 0u);
    std::vector<uint32_t> small = orderOfSmallChunks(means);
    std::vector<uint32_t>& closer = errorIn(kept, means) < errorIn(small, means) ? kept : small;
    std::vector<Bounds> bounds = boundsIn(closer, means, kTries);
    return {std::move(closer), std::move(bounds)};
}

}  // namespace splat
