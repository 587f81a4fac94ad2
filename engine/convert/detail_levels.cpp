#include <splatwright/convert/detail_levels.h>

#include <algorithm>

#include <splatwright/convert/device_clusters.h>
#include <splatwright/convert/node_pictures.h>
#include <splatwright/convert/splat_merger.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/sog/streamed_sog_writer.h>
#include <splatwright/scene/gaussians/morton.h>
#include <splatwright/scene/gaussians/selected.h>

namespace splat {
namespace {

constexpr size_t kSlice = size_t{1} << 16U;  // splats per thread and step

/// Errors in world units matter alike everywhere: viewers ask for them by distance.
constexpr Extent kSeenFromEverywhere{.centre = glm::dvec3(0), .radius = 1e9};

/// Ranges of cells that follow each other, of which a batch holds at most so many splats, and not so many cells that their pictures fill the memory.
std::vector<std::span<const ListRange>> batchesOf(std::span<const ListRange> cells, size_t most) {
    constexpr size_t kMostCells = 256;
    std::vector<std::span<const ListRange>> batches;
    for (size_t first = 0; first < cells.size();) {
        size_t end = first, count = 0;
        while (end < cells.size() && end - first < kMostCells && (end == first || count + cells[end].count <= most))
            count += cells[end++].count;
        batches.push_back(cells.subspan(first, end - first));
        first = end;
    }
    return batches;
}

/// A node without levels: its boxes.
DetailNode nodeOf(const Gaussians& g, const ListRange& range) {
    constexpr float kReach = 3;  // standard deviations
    constexpr glm::vec3 kFar(std::numeric_limits<float>::max());
    DetailNode node{.low = kFar, .high = -kFar, .coreLow = kFar, .coreHigh = -kFar, .levels = {}, .errors = {0}, .differences = {0}};
    for (size_t i = range.first; i < range.first + range.count; ++i) {
        const glm::vec3 mean = g.means[i], s = g.logScales[i], reach(kReach * std::exp(std::max({s.x, s.y, s.z})));
        node.low = glm::min(node.low, mean - reach), node.high = glm::max(node.high, mean + reach);
        node.coreLow = glm::min(node.coreLow, mean), node.coreHigh = glm::max(node.coreHigh, mean);
    }
    return node;
}

/// Where a node is looked at: large splats that reach far out would make all others small.
SplatBox picturedBox(const DetailNode& node) {
    const glm::vec3 margin(0.1f * glm::distance(node.coreLow, node.coreHigh));
    return {glm::max(node.coreLow - margin, node.low), glm::min(node.coreHigh + margin, node.high)};
}

/// Cells that are merged and measured together.
class Batch {
public:
    Batch(const Gaussians& splats, std::span<const uint32_t> order, std::span<const ListRange> cells, const LazyDevice& device)
        : splats_(selected(splats, order.subspan(cells.front().first, cells.back().first + cells.back().count - cells.front().first))),
          groups_(splats_.count()),
          merger_(device.device(), device.sort(), splats_, groupsOf(cells), kSeenFromEverywhere),
          pictures_(device.device(), device.sort(), static_cast<uint32_t>(cells.size()), largest(cells)) {
        for (const ListRange& range : ranges_) nodes_.push_back(nodeOf(splats_, range));
        pictures_.keep(merger_.model(), splats_.shDegree, parts());
    }

    /// Files are encoded while further levels are merged; `last`: no batch follows.
    void write(StreamedSogWriter& writer, const DetailOptions& options, bool last) {
        append(writer, 0, splats_, last);
        for (uint32_t level = 1; level < options.levels; ++level) {
            merger_.reduceTo(std::max(merger_.count() / options.ratio, 1u));
            findRanges();
            append(writer, level, merger_.splats(), last);
            measure();
        }
        for (DetailNode& node : nodes_) writer.add(std::move(node));
    }

private:
    static uint32_t largest(std::span<const ListRange> cells) {
        return static_cast<uint32_t>(std::ranges::max(cells, {}, &ListRange::count).count);
    }

    std::span<const uint32_t> groupsOf(std::span<const ListRange> cells) {
        for (const ListRange& cell : cells) {
            const size_t first = cell.first - cells.front().first;
            std::fill_n(groups_.begin() + static_cast<std::ptrdiff_t>(first), cell.count, static_cast<uint32_t>(ranges_.size()));
            ranges_.push_back({first, cell.count});
        }
        return groups_;
    }

    /// Where the nodes' splats are after a merge.
    void findRanges() {
        for (ListRange& range : ranges_) range.count = 0;
        for (const uint32_t origin : merger_.origins()) ++ranges_[groups_[origin]].count;
        size_t first = 0;
        for (ListRange& range : ranges_) {
            range.first = first;
            first += range.count;
        }
    }

    void append(StreamedSogWriter& writer, uint32_t level, const Gaussians& splats, bool last) {
        for (size_t node = 0; node < ranges_.size(); ++node)
            nodes_[node].levels.push_back(writer.append(level, slice(splats, ranges_[node].first, ranges_[node].count)));
        if (last) writer.end(level);
    }

    std::vector<PicturedPart> parts() const {
        std::vector<PicturedPart> parts;
        for (size_t node = 0; node < nodes_.size(); ++node)
            parts.push_back(
                {picturedBox(nodes_[node]), static_cast<uint32_t>(ranges_[node].first), static_cast<uint32_t>(ranges_[node].count)});
        return parts;
    }

    void measure() {
        const std::vector<LevelDifference> differences = pictures_.compare(merger_.model(), splats_.shDegree, parts());
        for (size_t node = 0; node < nodes_.size(); ++node) {
            nodes_[node].errors.push_back(std::max(differences[node].pixelSize, nodes_[node].errors.back()));
            nodes_[node].differences.push_back(std::max(differences[node].relative, nodes_[node].differences.back()));
        }
    }

    Gaussians splats_;
    std::vector<uint32_t> groups_;   // by splat
    std::vector<ListRange> ranges_;  // by node, in the current level
    SplatMerger merger_;
    NodePictures pictures_;
    std::vector<DetailNode> nodes_;
};

/// The end of the codes with the same path down to a level of the octree.
size_t endOfCell(std::span<const uint64_t> codes, size_t first, size_t end, uint32_t shift) {
    const auto from = codes.begin() + static_cast<std::ptrdiff_t>(first), to = codes.begin() + static_cast<std::ptrdiff_t>(end);
    return static_cast<size_t>(std::partition_point(from, to, [&](uint64_t code) { return code >> shift == *from >> shift; }) -
                               codes.begin());
}

void cut(std::span<const uint64_t> codes, ListRange range, uint32_t most, uint32_t shift, std::vector<ListRange>& cells) {
    const size_t end = range.first + range.count;
    ListRange open{range.first, 0};  // small cells so far
    const auto close = [&](size_t next) {
        if (open.count > 0) cells.push_back(open);
        open = {next, 0};
    };
    for (size_t first = range.first, next = 0; first < end; first = next) {
        next = shift == 0 ? std::min(end, first + most) : endOfCell(codes, first, end, shift - 3);
        const size_t count = next - first;
        if (open.count + count > most) close(first);
        if (count <= most) {
            open.count += count;
            continue;
        }
        cut(codes, {first, count}, most, shift - 3, cells);
        open = {next, 0};
    }
    close(end);
}

}  // namespace

std::vector<ListRange> octreeCells(std::span<const uint64_t> codes, uint32_t most) {
    std::vector<ListRange> cells;
    cut(codes, {0, codes.size()}, most, 3 * kMortonLevels, cells);
    return cells;
}

DetailSummary writeDetailLevels(const std::filesystem::path& path, const Gaussians& splats, const DetailOptions& options,
                                const LazyDevice& device, const std::function<void(size_t, size_t)>& progress) {
    constexpr size_t kFew = 0;  // vectors for the processor: the device has started
    StreamedSogWriter writer(path, options.levels, clusteringOn(device, kFew));
    const std::vector<uint64_t> codes = mortonCodes(splats.means);
    const std::vector<uint32_t> order = mortonOrder(codes);
    std::vector<uint64_t> sorted(codes.size());
    parallelEach(codes.size(), kSlice, [&](size_t i) { sorted[i] = codes[order[i]]; });
    const std::vector<ListRange> cells = octreeCells(sorted, options.nodeSplats);
    const std::vector<std::span<const ListRange>> batches = batchesOf(cells, SplatMerger::kMost);
    for (size_t b = 0; b < batches.size(); ++b) {
        progress(b, batches.size());
        Batch(splats, order, batches[b], device).write(writer, options, b + 1 == batches.size());
    }
    writer.finish();
    return {cells.size(), writer.counts(), writer.bytes()};
}

}  // namespace splat
