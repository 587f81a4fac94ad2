#include <splatwright/explain/tile_backward.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include <splatwright/core/error.h>
#include <splatwright/render/accumulate/inputs.h>
#include "kernels/trace_retries.h"
#include "kernels/trace_retries_tree.h"
#include "kernels/trace_tile.h"

namespace splat::explain {

namespace {

constexpr uint32_t kLevels = std::bit_width(shared::kTilePixels);  // leaves, and one per halving
constexpr uint32_t kTreeWords = shared::kGradientWords * shared::kTilePixels;

const AccumulationRow& tree() { return accumulationByName("tree-cas"); }

/// Empties all lists but the tile's for the backward pass, until its end.
class OnlyThisTile {
public:
    explicit OnlyThisTile(const TileFrame& tile)
        : tile_(tile), before_(tile.device().download<uint32_t>(tile.frame().tileLast, tileGrid(tile.size().x, tile.size().y).count())) {
        std::vector<uint32_t> only(before_.size());
        only[tile.tile().index()] = before_[tile.tile().index()];
        tile.device().upload(tile.frame().tileLast, only);
    }
    ~OnlyThisTile() { tile_.device().upload(tile_.frame().tileLast, before_); }
    OnlyThisTile(const OnlyThisTile&) = delete;
    OnlyThisTile& operator=(const OnlyThisTile&) = delete;

private:
    const TileFrame& tile_;
    std::vector<uint32_t> before_;
};

/// The tile's pixels in the order of threads.
std::vector<glm::vec3> ofTile(const TileFrame& tile, const std::vector<glm::vec3>& ofPicture) {
    std::vector<glm::vec3> values(shared::kTilePixels);
    for (uint32_t thread = 0; thread < shared::kTilePixels; ++thread) {
        const glm::uvec2 pixel = tile.tile().tile() * kTileSize + glm::uvec2(thread % kTileSize, thread / kTileSize);
        if (pixel.x < tile.size().x && pixel.y < tile.size().y) values[thread] = ofPicture[pixel.y * tile.size().x + pixel.x];
    }
    return values;
}

/// The rows of the tile's splats, of words per Gaussian.
template <class Word>
std::vector<Word> rowsOf(const TileFrame& tile, const std::vector<Word>& words) {
    std::vector<Word> rows;
    for (const ListedSplat& listed : tile.list()) {
        const auto row = words.begin() + static_cast<std::ptrdiff_t>(size_t{listed.gaussian} * shared::kGradientRow);
        rows.insert(rows.end(), row, row + kTracedWords);
    }
    return rows;
}

template <class Word>
std::vector<Word> download(const TileFrame& tile, const gpu::BufferSlice& words) {
    return tile.device().download<Word>(words, size_t{shared::kGradientRow} * tile.gaussians().capacity);
}

}  // namespace

TileBackward::TileBackward(const TileFrame& tile, const gpu::Buffer& colourGradients, bool clamp)
    : tile_(tile),
      clamp_(clamp),
      colourGradients_(colourGradients),
      traced_(tile.device().buffer<uint32_t>("traced place", 1)),
      weightWords_(tile.device().buffer<float>("weights in the tile", size_t{std::max(tile.tile().reached, 1u)} * shared::kTilePixels)),
      sumWords_(tile.device().buffer<float>("sums of the tile", size_t{std::max(tile.tile().reached, 1u)} * shared::kGradientWords)),
      unclamped_(tile.device().buffer<float>("gradients of pixels", kTreeWords)),
      levels_(tile.device().buffer<float>("levels of the tree", size_t{kLevels} * kTreeWords)),
      ofPixels_(ofTile(tile, tile.device().download<glm::vec3>(colourGradients, size_t{tile.size().x} * tile.size().y))) {
    if (tile.tile().reached == 0) return;
    trace(0);
    weights_ = tile.device().download<float>(weightWords_, size_t{tile.tile().reached} * shared::kTilePixels);
    sums_ = tile.device().download<float>(sumWords_, size_t{tile.tile().reached} * shared::kGradientWords);
}

/// Makes a method's buffers and hands its job on.
template <class Work>
auto TileBackward::withBuffers(const AccumulationRow& row, const Work& work) const {
    gpu::Arena transient = tile_.frame().transient();
    const BackwardBuffers buffers(tile_.device(), tile_.frame().capacity, row, transient);
    const ViewSelection view = tile_.view();
    return work(BackwardJob{.model = tile_.gaussians(),
                            .frame = tile_.frame(),
                            .buffers = buffers,
                            .view = view,
                            .colourGradients = colourGradients_,
                            .clampGradients = clamp_});
}

TreeTrace TileBackward::tree(uint32_t place) const {
    trace(place);
    return readTree(place);
}

void TileBackward::trace(uint32_t place) const {
    SPLAT_CHECK(place < tile_.tile().reached, "place {} of {}", place, tile_.tile().reached);
    gpu::Device& device = tile_.device();
    device.upload(traced_, std::vector{place});
    withBuffers(explain::tree(), [&](const BackwardJob& job) {
        const kernels::trace_tile kernel{.weights = weightWords_,
                                         .sums = sumWords_,
                                         .unclamped = unclamped_,
                                         .levels = levels_,
                                         .traced = traced_,
                                         .blendWords = job.buffers.blendSums.words(),
                                         .tile = tile_.tile().tile(),
                                         .kClampGradients = clamp_ ? 1u : 0u};
        device.run("trace tile", [&](gpu::Commands& c) { c.dispatchGroups(withInputs(kernel, job), 1); });
    });
}

TreeTrace TileBackward::readTree(uint32_t place) const {
    gpu::Device& device = tile_.device();
    TreeTrace trace{.place = place, .unclamped = device.download<float>(unclamped_, kTracedWords * shared::kTilePixels), .levels = {}};
    const auto all = device.download<float>(levels_, size_t{kLevels} * kTreeWords);
    for (uint32_t level = 0; level < kLevels; ++level) {
        const uint32_t threads = shared::kTilePixels >> level;
        std::vector<float>& own = trace.levels.emplace_back();
        for (uint32_t word = 0; word < kTracedWords; ++word) {
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(level * kTreeWords + word * shared::kTilePixels);
            own.insert(own.end(), first, first + threads);
        }
    }
    return trace;
}

std::vector<MethodTrace> TileBackward::methods() const {
    const OnlyThisTile only(tile_);
    gpu::Device& device = tile_.device();
    std::vector<MethodTrace> traces;
    for (const AccumulationRow* row : accumulationTable()) {
        if (row->checkpoints) continue;  // these start from states of pixels that the frame has not saved
        withBuffers(*row, [&](const BackwardJob& job) {
            MethodTrace& trace = traces.emplace_back(MethodTrace{.name = row->name, .help = row->help, .additions = {}, .gradients = {}});
            if (row->count) trace.additions = countAdditions(device, *row, job);
            device.run("backward", [&](gpu::Commands& c) { recordBackward(device, c, *row, job); });
            trace.gradients = rowsOf(tile_, download<float>(tile_, job.buffers.gradients.words()));
        });
    }
    return traces;
}

std::vector<float> TileBackward::gradients(const AccumulationMethod& method) const {
    SPLAT_CHECK(!method.row->checkpoints, "accumulation '{}' needs checkpoints", method.row->name);
    return withBuffers(*method.row, [&](BackwardJob job) {
        job.clampGradients = clamp_ && method.row == &explain::tree();
        if (method.row->balanced) job.balanceThreshold = method.balanceThreshold;
        tile_.device().run("backward", [&](gpu::Commands& c) { recordBackward(tile_.device(), c, *method.row, job); });
        return rowsOf(tile_, download<float>(tile_, job.buffers.gradients.words()));
    });
}

LaneCounts TileBackward::lanes() const {
    if (summedLanes(tile_.device()) == 0) return {};
    const OnlyThisTile only(tile_);
    return withBuffers(explain::tree(), [&](const BackwardJob& job) { return countLanes(tile_.device(), job); });
}

template <class Kernel>
RetryTrace TileBackward::retriesOf(const char* method) const {
    gpu::Device& device = tile_.device();
    const gpu::Buffer retries = device.buffer<uint32_t>("retries", size_t{shared::kGradientRow} * tile_.gaussians().capacity);
    const AccumulationRow& row = accumulationByName(method);
    RetryTrace trace{.method = row.name, .bySplat = {}};
    withBuffers(row, [&](const BackwardJob& job) {
        trace.additions = countAdditions(device, row, job);
        Kernel kernel{};
        kernel.gradientWords = job.buffers.gradients.words();
        kernel.blendWords = job.buffers.blendSums.words();
        kernel.retries = retries;
        device.run("trace retries", [&](gpu::Commands& c) {
            recordClear(c, row, job.buffers, job.sums);
            c.fill(retries, 0);
            if constexpr (requires { kernel.tileOrder; }) {
                recordTiles(c, kernel, job, 1);
            } else {
                c.dispatch2D(withInputs(kernel, job), job.view.width, job.view.height);
            }
        });
    });
    const auto words = download<uint32_t>(tile_, retries);
    trace.retries = std::accumulate(words.begin(), words.end(), uint64_t{0});
    const auto own = rowsOf(tile_, words);
    for (auto first = own.begin(); first != own.end(); first += kTracedWords)
        trace.bySplat.push_back(std::accumulate(first, first + kTracedWords, 0u));
    return trace;
}

std::vector<RetryTrace> TileBackward::retries() const {
    return {retriesOf<kernels::trace_retries>("cas"), retriesOf<kernels::trace_retries_tree>("tree-cas")};
}

}  // namespace splat::explain
