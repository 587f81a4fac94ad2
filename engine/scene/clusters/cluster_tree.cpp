#include <splatwright/scene/clusters/cluster_tree.h>

#include <cmath>
#include <limits>
#include <numeric>

#include <splatwright/core/threads.h>

namespace splat {
namespace {

constexpr size_t kBranch = ClusterTree::kBranch;
constexpr size_t kSamplesPerPart = 128;  // of which the parts' centres are found
constexpr int kRounds = 6;               // of finding them

/// A part of the vectors, as a range of the tree's order, and its groups.
struct Node {
    size_t first, count;
    size_t firstGroup, groups;
};

/// The nearest of at most kBranch centres.
class Nearest {
public:
    explicit Nearest(const VectorRows& centres) : values_(centres.stride() * kBranch) {
        halfNorms_.fill(std::numeric_limits<float>::max());
        for (size_t c = 0; c < centres.count(); ++c) {
            halfNorms_[c] = 0;
            for (size_t d = 0; d < centres.stride(); ++d) {
                values_[d * kBranch + c] = centres[c][d];
                halfNorms_[c] += centres[c][d] * centres[c][d] / 2;
            }
        }
    }

    uint32_t operator()(std::span<const float> vector) const {
        std::array<float, kBranch> scores = halfNorms_;  // half of the squared distance, less the vector's own part
        for (size_t d = 0; d < vector.size(); ++d)
            for (size_t c = 0; c < kBranch; ++c) scores[c] -= vector[d] * values_[d * kBranch + c];
        return static_cast<uint32_t>(std::ranges::min_element(scores) - scores.begin());
    }

private:
    std::vector<float> values_;
    std::array<float, kBranch> halfNorms_;
};

/// Some vectors in parts.
struct Parts {
    VectorRows centres;
    std::vector<size_t> starts;  ///< of each part among the members, and their end
    std::vector<double> errors;  ///< sums of squared distances to the centre

    std::vector<size_t> sizes() const {
        std::vector<size_t> sizes(centres.count());
        for (size_t p = 0; p < sizes.size(); ++p) sizes[p] = starts[p + 1] - starts[p];
        return sizes;
    }
    /// Whether a single part has all members.
    bool areOne() const {
        return std::ranges::all_of(starts, [&](size_t start) { return start == 0 || start == starts.back(); });
    }
};

/// Sorts the members by their nearest centre, and moves each centre to the mean of its part, or to the vector that is farthest from its own
/// centre if the part is empty.
void divide(const VectorRows& vectors, std::span<uint32_t> members, Parts& parts) {
    const Nearest nearest(parts.centres);
    std::vector<uint32_t> part(members.size());
    parts.starts.assign(parts.centres.count() + 1, 0);
    for (size_t m = 0; m < members.size(); ++m) {
        part[m] = nearest(vectors[members[m]]);
        ++parts.starts[part[m] + 1];
    }
    std::partial_sum(parts.starts.begin(), parts.starts.end(), parts.starts.begin());
    std::vector<uint32_t> sorted(members.size());
    std::vector<size_t> next = parts.starts;
    for (size_t m = 0; m < members.size(); ++m) sorted[next[part[m]]++] = members[m];
    std::ranges::copy(sorted, members.begin());

    parts.errors.assign(parts.centres.count(), 0);
    std::vector<float> distances(members.size());
    std::vector<size_t> empty;
    for (size_t p = 0; p < parts.centres.count(); ++p) {
        const size_t first = parts.starts[p], count = parts.starts[p + 1] - first;
        if (count == 0)
            empty.push_back(p);
        else
            setMean(parts.centres[p], vectors, members.subspan(first, count));
        for (size_t m = first; m < first + count; ++m) {
            distances[m] = squaredDistance(vectors[members[m]], parts.centres[p]);
            parts.errors[p] += static_cast<double>(distances[m]);
        }
    }
    for (const size_t p : empty) {
        const auto farthest = std::ranges::max_element(distances);
        std::ranges::copy(vectors[members[static_cast<size_t>(farthest - distances.begin())]], parts.centres[p].begin());
        *farthest = 0;
    }
}

/// Divides the members into `count` parts, whose centres are found with a sample.
Parts divided(const VectorRows& vectors, size_t dimensions, std::span<uint32_t> members, size_t count) {
    Parts parts{.centres = VectorRows(count, dimensions), .starts = {}, .errors = {}};
    std::vector<uint32_t> sample(std::min(members.size(), count * kSamplesPerPart));
    for (size_t s = 0; s < sample.size(); ++s) sample[s] = members[s * members.size() / sample.size()];
    for (size_t p = 0; p < count; ++p) std::ranges::copy(vectors[sample[p * sample.size() / count]], parts.centres[p].begin());
    for (int round = 0; round < (count > 1 ? kRounds : 0); ++round) divide(vectors, sample, parts);
    divide(vectors, members, parts);
    if (count > 1 && parts.areOne()) divide(vectors, members, parts);  // the sample had none of those that differ: centres are there now
    return parts;
}

class Growth {
public:
    Growth(const VectorRows& vectors, size_t dimensions, size_t groups) : vectors_(vectors), dimensions_(dimensions) {
        tree_.centroids = VectorRows(groups, dimensions);
        tree_.order.resize(vectors.count());
        tree_.labels.resize(vectors.count());
        std::iota(tree_.order.begin(), tree_.order.end(), 0u);
    }

    ClusterTree grown() {
        std::vector<Node> level{{0, vectors_.count(), 0, tree_.centroids.count()}};
        while (!level.empty()) {
            std::vector<std::vector<Node>> children(level.size());
            parallelFor(level.size(), [&](size_t n) { children[n] = split(level[n]); });
            level.clear();
            for (const std::vector<Node>& nodes : children) level.insert(level.end(), nodes.begin(), nodes.end());
        }
        return std::move(tree_);
    }

private:
    std::vector<Node> split(const Node& node) {
        const std::span<uint32_t> members = std::span(tree_.order).subspan(node.first, node.count);
        const Parts parts = divided(vectors_, dimensions_, members, std::min(kBranch, node.groups));
        const bool leaves = node.groups <= kBranch || parts.areOne();  // equal vectors need no more groups
        const std::vector<size_t> groups =
            leaves ? std::vector<size_t>(parts.centres.count(), 1) : sharesOf(parts.errors, parts.sizes(), node.groups);
        std::vector<Node> children;
        size_t group = node.firstGroup;
        for (size_t p = 0; p < parts.centres.count(); group += groups[p++]) {
            const size_t first = node.first + parts.starts[p], count = parts.starts[p + 1] - parts.starts[p];
            if (leaves) {
                std::ranges::copy(parts.centres[p], tree_.centroids[group].begin());
                std::fill_n(tree_.labels.begin() + static_cast<ptrdiff_t>(first), count, static_cast<uint32_t>(group));
            } else if (count > 0) {
                children.push_back({first, count, group, groups[p]});
            }
        }
        return children;
    }

    const VectorRows& vectors_;
    size_t dimensions_;
    ClusterTree tree_;
};

}  // namespace

std::vector<size_t> sharesOf(std::span<const double> errors, std::span<const size_t> sizes, size_t groups) {
    constexpr double kPower = 0.8;
    const size_t count = errors.size();
    std::vector<size_t> shares(count);
    std::vector<double> weights(count);
    for (size_t p = 0; p < count; ++p) {
        shares[p] = sizes[p] > 0 ? 1 : 0;
        weights[p] = std::pow(errors[p], kPower);
        groups -= shares[p];
    }
    // Parts that have reached their most leave theirs to the others of the next round.
    for (size_t given = 1; groups > 0 && given > 0;) {
        double total = 0, due = 0;
        for (size_t p = 0; p < count; ++p) total += shares[p] < sizes[p] ? weights[p] : 0;
        const auto all = static_cast<double>(groups);
        given = 0;
        for (size_t p = 0; p < count; ++p) {
            if (shares[p] == sizes[p] || total <= 0) continue;
            due += weights[p] / total * all;
            const auto share = std::min({static_cast<size_t>(due + 1e-9), sizes[p] - shares[p], groups});
            due -= static_cast<double>(share);
            shares[p] += share, groups -= share, given += share;
        }
    }
    return shares;
}

ClusterTree clusterTree(const VectorRows& vectors, size_t dimensions, size_t groups) { return Growth(vectors, dimensions, groups).grown(); }

}  // namespace splat
