#include <splatwright/convert/device_clusters.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/threads.h>
#include <splatwright/gpu/check.h>
#include <splatwright/scene/clusters/cluster_tree.h>
#include <splatwright/shared/convert.h>
#include "kernels/fill_empty_groups.h"
#include "kernels/group_means.h"
#include "kernels/group_starts.h"
#include "kernels/near_cells.h"
#include "kernels/nearest_centroids.h"
#include "kernels/seed_centroids.h"

namespace splat {
namespace {

using shared::kCellGroups;
using shared::kRowQuads;

constexpr size_t kRow = size_t{4} * kRowQuads;    // floats
constexpr int kRounds = 7;                        // of finding the parts of a node
constexpr int kPasses = 8, kPassesPerSearch = 4;  // over all groups; near cells are searched again as the centroids move
constexpr size_t kSlice = 4096;                   // vectors per thread and step
static_assert(kMostClusteredDimensions <= kRow);

/// Each vector as a row of the device.
std::vector<float> rowsOf(const VectorView& view) {
    std::vector<float> rows(view.count * kRow);
    parallelEach(view.count, kSlice, [&](size_t i) { std::ranges::copy(view[i], rows.begin() + static_cast<std::ptrdiff_t>(i * kRow)); });
    return rows;
}

std::vector<uint32_t> numbers(size_t count) {
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

/// A tree of parts (cluster_tree.h), whose leaves are the groups, and passes over all groups.
class DeviceClustering {
public:
    DeviceClustering(gpu::Device& device, const primitives::RadixSort& sort, const VectorView& view, size_t groups)
        : device_(device),
          sort_(sort),
          view_(view),
          count_(static_cast<uint32_t>(view.count)),
          most_(static_cast<uint32_t>(groups)),
          vectors_(device.buffer<glm::vec4>("clustered vectors", view.count * kRowQuads)),
          centroids_(device.buffer<glm::vec4>("centroids", groups * kRowQuads)),
          centres_(device.buffer<glm::vec4>("centres of cells", size_t{shared::kMostGroupCells} * kRowQuads)),
          groups_(device.buffer<uint32_t>("groups ping", view.count)),
          groupsB_(device.buffer<uint32_t>("groups pong", view.count)),
          order_(device.buffer<uint32_t>("grouped vectors ping", view.count)),
          orderB_(device.buffer<uint32_t>("grouped vectors pong", view.count)),
          errors_(device.buffer<float>("errors of vectors", view.count)),
          starts_(device.buffer<uint32_t>("starts of groups", groups + 1)),
          groupErrors_(device.buffer<shared::GroupErrors>("errors of groups", groups)),
          cellErrors_(device.buffer<shared::GroupErrors>("errors of cells", shared::kMostGroupCells)),
          numbers_(device.buffer<uint32_t>("numbers", groups)),
          cells_(device.buffer<uint32_t>("cells of groups", groups)),
          cellStarts_(device.buffer<uint32_t>("starts of cells", size_t{shared::kMostGroupCells} + 1)),
          ranges_(
              device.buffer<glm::uvec2>("ranges of cells", std::max<size_t>(groups, size_t{shared::kMostGroupCells} * shared::kNearCells))),
          places_(device.buffer<uint32_t>("places of seeds", groups)),
          scratch_(primitives::RadixSort::scratch(device, "group sort", count_)) {
        device.upload(vectors_, rowsOf(view));
        device.upload(order_, numbers(view.count));
        device.upload(numbers_, numbers(groups));
        device.run("clear groups", [&](gpu::Commands& c) { c.fill(groups_, 0); });
    }

    VectorClusters clusters() {
        divide();
        device_.run("move centroids", [&](gpu::Commands& c) { recordPasses(c); });
        return packed();
    }

private:
    /// Which groups vectors are compared with: `ranges_` has so many for each cell.
    struct Compared {
        const gpu::Buffer& cells;  ///< by group
        uint32_t count;            ///< of cells
        uint32_t rangesPerCell;
    };

    void divide() {
        std::vector<size_t> nodes{most_};  // number of groups that each is to have
        std::vector<uint32_t> starts{0, count_};
        for (bool divided = true; divided;) {
            std::vector<size_t> parts(nodes.size());
            for (size_t n = 0; n < nodes.size(); ++n) parts[n] = starts[n] < starts[n + 1] ? std::min(ClusterTree::kBranch, nodes[n]) : 0;
            divideNodes(parts, starts);
            starts = device_.download<uint32_t>(starts_, groupCount_ + 1);
            std::tie(nodes, divided) = groupsOfParts(nodes, parts, starts);
        }
        std::vector<uint32_t> cells(groupCount_);
        for (uint32_t group = 0; group < groupCount_; ++group) cells[group] = group / kCellGroups;
        device_.upload(cells_, cells);
        std::vector<uint32_t> cellStarts;
        for (uint32_t group = 0; group < groupCount_; group += kCellGroups) cellStarts.push_back(group);
        cellStarts.push_back(groupCount_);
        device_.upload(cellStarts_, cellStarts);
    }

    /// Finds the parts of every node, which are the groups until the next call. `starts` are the nodes'.
    void divideNodes(std::span<const size_t> parts, std::span<const uint32_t> starts) {
        std::vector<uint32_t> nodeOfPart, places;
        std::vector<glm::uvec2> ranges;
        for (uint32_t node = 0; node < parts.size(); ++node) {
            const auto first = static_cast<uint32_t>(places.size());
            const size_t size = starts[node + 1] - starts[node];
            for (size_t part = 0; part < parts[node]; ++part) {
                nodeOfPart.push_back(node);
                places.push_back(starts[node] + static_cast<uint32_t>(part * size / parts[node]));
            }
            ranges.emplace_back(first, places.size());
        }
        groupCount_ = static_cast<uint32_t>(places.size());
        device_.upload(cells_, nodeOfPart);
        device_.upload(places_, places);
        device_.upload(ranges_, ranges);
        device_.run("divide vectors", [&](gpu::Commands& c) {
            const uint32_t quads = groupCount_ * kRowQuads;
            const auto nodes = static_cast<uint32_t>(parts.size());
            c.dispatch(
                kernels::seed_centroids{.vectors = vectors_, .order = order_, .places = places_, .centroids = centroids_, .quads = quads},
                quads);
            for (int round = 0; round < kRounds; ++round) {
                recordRound(c, {.cells = round == 0 ? numbers_ : cells_, .count = nodes, .rangesPerCell = 1});
            }
        });
    }

    /// Of each part, the number of groups that it is to have, and whether any has more than one.
    std::pair<std::vector<size_t>, bool> groupsOfParts(std::span<const size_t> nodes, std::span<const size_t> parts,
                                                       std::span<const uint32_t> starts) {
        const auto errors = device_.download<shared::GroupErrors>(groupErrors_, groupCount_);
        std::vector<size_t> groups;
        bool divided = false;
        for (size_t n = 0; n < nodes.size(); ++n) {
            std::vector<double> squares;
            std::vector<size_t> sizes;
            for (size_t part = groups.size(); part < groups.size() + parts[n]; ++part) {
                squares.push_back(static_cast<double>(errors[part].squares));
                sizes.push_back(starts[part + 1] - starts[part]);
            }
            const bool one = std::ranges::count_if(sizes, [](size_t size) { return size > 0; }) == 1;  // equal vectors need no more groups
            const bool leaves = nodes[n] <= ClusterTree::kBranch || one;
            const std::vector<size_t> shares = leaves ? std::vector<size_t>(sizes.size(), 1) : sharesOf(squares, sizes, nodes[n]);
            groups.insert(groups.end(), shares.begin(), shares.end());
            divided = divided || !leaves;
        }
        return {groups, divided};
    }

    void recordPasses(gpu::Commands& c) {
        const uint32_t cells = (groupCount_ + kCellGroups - 1) / kCellGroups;
        const Compared compared{.cells = cells_, .count = cells, .rangesPerCell = std::min(cells, shared::kNearCells)};
        for (int pass = 0; pass < kPasses; ++pass) {
            if (pass % kPassesPerSearch == 0) recordNearCells(c, compared);
            recordRound(c, compared);
        }
    }

    void recordNearCells(gpu::Commands& c, const Compared& compared) {
        c.stage("near cells");
        c.dispatchGroups(kernels::group_means{.vectors = centroids_,
                                              .order = numbers_,
                                              .starts = cellStarts_,
                                              .errors = errors_,
                                              .centroids = centres_,
                                              .groupErrors = cellErrors_,
                                              .groupCount = compared.count},
                         compared.count);
        c.dispatchGroups(kernels::near_cells{.centres = centres_,
                                             .ranges = ranges_,
                                             .cellCount = compared.count,
                                             .groupCount = groupCount_,
                                             .rangesPerCell = compared.rangesPerCell},
                         compared.count);
    }

    /// Each vector goes to the nearest group that it is compared with, and then each centroid to the mean of its vectors.
    void recordRound(gpu::Commands& c, const Compared& compared) {
        c.stage("compare");
        c.dispatch(kernels::nearest_centroids{.vectors = vectors_,
                                              .order = order_,
                                              .centroids = centroids_,
                                              .cells = compared.cells,
                                              .ranges = ranges_,
                                              .groups = groups_,
                                              .errors = errors_,
                                              .count = count_,
                                              .rangesPerCell = compared.rangesPerCell},
                   count_);
        c.stage("sort by group");
        const primitives::SortBuffers buffers{groups_, order_, groupsB_, orderB_};
        const primitives::BitWindow window{0, static_cast<uint32_t>(std::bit_width(groupCount_ - 1))};
        sort_.record(c, {.buffers = buffers, .window = window, .scratch = scratch_}, {count_});
        if (primitives::resultSide(window) == primitives::Side::b) {
            std::swap(groups_, groupsB_);
            std::swap(order_, orderB_);
        }
        c.stage("means");
        c.dispatch(kernels::group_starts{.groups = groups_, .starts = starts_, .count = count_, .groupCount = groupCount_},
                   groupCount_ + 1);
        c.dispatchGroups(kernels::group_means{.vectors = vectors_,
                                              .order = order_,
                                              .starts = starts_,
                                              .errors = errors_,
                                              .centroids = centroids_,
                                              .groupErrors = groupErrors_,
                                              .groupCount = groupCount_},
                         groupCount_);
        c.dispatch(kernels::fill_empty_groups{.vectors = vectors_,
                                              .starts = starts_,
                                              .ranges = ranges_,
                                              .centroids = centroids_,
                                              .groupErrors = groupErrors_,
                                              .cellCount = compared.count,
                                              .rangesPerCell = compared.rangesPerCell},
                   compared.count);
    }

    /// In the order of the vectors, without groups that are empty.
    VectorClusters packed() {
        const auto rows = device_.download<float>(centroids_.words(), groupCount_ * kRow);
        const auto groups = device_.download<uint32_t>(groups_, count_), order = device_.download<uint32_t>(order_, count_);
        VectorClusters clusters{.centroids = {}, .labels = std::vector<uint32_t>(count_)};
        uint32_t used = 0;
        for (uint32_t i = 0; i < count_; ++i) {
            if (i == 0 || groups[i] != groups[i - 1]) {
                const auto row = rows.begin() + static_cast<std::ptrdiff_t>(groups[i] * kRow);
                clusters.centroids.insert(clusters.centroids.end(), row, row + static_cast<std::ptrdiff_t>(view_.dimensions));
                ++used;
            }
            clusters.labels[order[i]] = used - 1;
        }
        return clusters;
    }

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    VectorView view_;
    uint32_t count_, most_;    // vectors, groups
    uint32_t groupCount_ = 1;  // so far
    gpu::Buffer vectors_, centroids_, centres_, groups_, groupsB_, order_, orderB_, errors_, starts_, groupErrors_, cellErrors_, numbers_,
        cells_, cellStarts_, ranges_, places_;
    primitives::SortScratch scratch_;
};

/// Null: there is none, or it is the processor.
gpu::Device* gpuOf(const LazyDevice& lazy) {
    try {
        gpu::Device& device = lazy.device();
        return device.isSoftware() ? nullptr : &device;
    } catch (const InputError&) {
        throw;  // one was asked for by name
    } catch (const Error& error) {
        spdlog::info("{}; the processor finds the palette", error.what());
        return nullptr;
    }
}

}  // namespace

VectorClusters clusterOnDevice(gpu::Device& device, const primitives::RadixSort& sort, const VectorView& vectors, size_t most) {
    SPLAT_CHECK(vectors.dimensions <= kMostClusteredDimensions && most <= size_t{shared::kMostGroupCells} * kCellGroups,
                "{} values, {} groups", vectors.dimensions, most);
    if (vectors.count <= most) return clusterVectors(vectors, most);
    return DeviceClustering(device, sort, vectors, most).clusters();
}

ClusterVectors clusteringOn(const LazyDevice& lazy, size_t few) {
    return [lazy, few](const VectorView& vectors, size_t most) {
        gpu::Device* device = vectors.count > std::max(most, few) ? gpuOf(lazy) : nullptr;
        if (!device || vectors.count * kRow * sizeof(float) > device->limits().maxStorageBufferRange) return clusterVectors(vectors, most);
        try {
            return clusterOnDevice(*device, lazy.sort(), vectors, most);
        } catch (const gpu::OutOfMemory& error) {
            spdlog::info("{}; the processor finds the palette", error.what());
            return clusterVectors(vectors, most);
        }
    };
}

}  // namespace splat
