#include <splatwright/convert/splat_merger.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <splatwright/shared/convert.h>
#include "kernels/choose_candidates.h"
#include "kernels/find_candidates.h"
#include "kernels/gather_words.h"
#include "kernels/list_pairs.h"
#include "kernels/merge_pairs.h"
#include "kernels/pair_splats.h"
#include "kernels/summarise_splats.h"

namespace splat {

namespace {

constexpr primitives::BitWindow kErrorWindow{0, 32};

/// A round merges at most this part of all splats, the cheapest pairs: those after them may have better partners once these are merged.
constexpr uint32_t kRoundShare = 8;

/// How often splats choose in a round. Many prefer the same large one, which takes a single partner; with one choice there were so few pairs that
/// all were merged, those with the largest errors among them.
constexpr uint32_t kChoices = 4;

}  // namespace

SplatMerger::SplatMerger(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& splats, std::span<const uint32_t> groups,
                         const Extent& seen)
    : device_(device),
      sort_(sort),
      compaction_(device),
      seen_(seen),
      shDegree_(splats.shDegree),
      count_(static_cast<uint32_t>(splats.count())),
      models_{GaussianModel(device, count_), GaussianModel(device, count_)},
      origins_{PlanarBuffer(device, "origins", 1, 1, std::max(count_, 1u)), PlanarBuffer(device, "origins", 1, 1, std::max(count_, 1u))},
      damages_{PlanarBuffer(device, "damages", 1, 1, std::max(count_, 1u)), PlanarBuffer(device, "damages", 1, 1, std::max(count_, 1u))},
      groups_(device.buffer<uint32_t>("groups of splats", count_)),
      summaries_(device.buffer<shared::MergeSummary>("summaries of splats", count_)),
      candidates_(device.buffer<shared::MergeCandidate>("candidates", size_t{count_} * shared::kMergeCandidates)),
      partners_(device.buffer<uint32_t>("partners", count_)),
      choices_(device.buffer<uint32_t>("choices", count_)),
      kept_(device.buffer<uint32_t>("kept splats", count_)),
      left_(device.buffer<uint32_t>("splats left", 1)),
      keysA_(device.buffer<uint32_t>("pair keys ping", count_)),
      keysB_(device.buffer<uint32_t>("pair keys pong", count_)),
      splatsA_(device.buffer<uint32_t>("pairs ping", count_)),
      splatsB_(device.buffer<uint32_t>("pairs pong", count_)),
      sortScratch_(primitives::RadixSort::scratch(device, "pair sort", count_)),
      scanScratch_(compaction_.scratch("pair scan", count_)) {
    SPLAT_CHECK(splats.count() <= kMost && groups.size() == splats.count(), "{} splats, {} groups", splats.count(), groups.size());
    models_[0].upload(device, splats);
    models_[1].antialiased = splats.antialiased;
    std::vector<uint32_t> numbers(count_);
    std::iota(numbers.begin(), numbers.end(), 0u);
    device.upload(origins_[0].slice(0, 0, count_), numbers);
    device.upload(groups_, std::vector<uint32_t>(groups.begin(), groups.end()));
    device.run("clear damages", [&](gpu::Commands& c) { c.fill(damages_[0], 0); });
}

uint32_t SplatMerger::reduceTo(uint32_t count) {
    uint32_t rounds = 0;
    for (; count_ > count; ++rounds) {
        const uint32_t pairs = std::min(count_ - count, std::max(count_ / kRoundShare, 1u));
        device_.run("merge splats", [&](gpu::Commands& c) {
            recordPairs(c);
            recordMerge(c, pairs);
            recordGather(c);
        });
        const uint32_t left = device_.download<uint32_t>(left_, 1)[0];
        if (left == count_) break;
        count_ = left;
        std::swap(models_[0], models_[1]);
        std::swap(origins_[0], origins_[1]);
        std::swap(damages_[0], damages_[1]);
    }
    return rounds;
}

/// Each splat's candidates, and the pairs that chose each other, by error.
void SplatMerger::recordPairs(gpu::Commands& c) const {
    kernels::summarise_splats summarise{
        .origins = origins_[0], .groups = groups_, .damages = damages_[0], .summaries = summaries_, .count = count_};
    summarise.centre = glm::vec3(seen_.centre);
    summarise.radius = static_cast<float>(seen_.radius);
    c.stage("find pairs");
    c.dispatch(withModel(summarise, models_[0]), count_);
    c.dispatch(kernels::find_candidates{.summaries = summaries_, .candidates = candidates_, .partners = partners_, .count = count_},
               count_);
    for (uint32_t choice = 0; choice < kChoices; ++choice) {
        c.dispatch(kernels::choose_candidates{.candidates = candidates_, .partners = partners_, .choices = choices_, .count = count_},
                   count_);
        c.dispatch(kernels::pair_splats{.choices = choices_, .partners = partners_, .count = count_}, count_);
    }
    c.dispatch(
        kernels::list_pairs{
            .candidates = candidates_, .partners = partners_, .keys = keysA_, .splats = splatsA_, .kept = kept_, .count = count_},
        count_);
    sort_.record(c, {.buffers = {keysA_, splatsA_, keysB_, splatsB_}, .window = kErrorWindow, .scratch = sortScratch_}, {count_});
}

void SplatMerger::recordMerge(gpu::Commands& c, uint32_t pairs) const {
    const primitives::SortBuffers sorted{keysA_, splatsA_, keysB_, splatsB_};
    c.stage("merge");
    c.dispatch(withModel(kernels::merge_pairs{.keys = primitives::sortedKeys(sorted, kErrorWindow),
                                              .splats = primitives::sortedPayload(sorted, kErrorWindow),
                                              .partners = partners_,
                                              .summaries = summaries_,
                                              .origins = origins_[0],
                                              .damages = damages_[0],
                                              .kept = kept_,
                                              .pairs = pairs},
                         models_[0]),
               pairs);
}

/// Closes the gaps that merged splats left, into the free model.
void SplatMerger::recordGather(gpu::Commands& c) const {
    c.stage("gather");
    compaction_.record(c, {.flags = kept_, .indices = partners_, .kept = {left_}, .scratch = scanScratch_}, {count_});
    const auto gather = [&](const PlanarBuffer& from, const PlanarBuffer& to) {
        for (size_t b = 0; b < from.buffers().size(); ++b)
            c.dispatch(kernels::gather_words{.indices = partners_,
                                             .counts = left_,
                                             .source = from.buffers()[b].words(),
                                             .target = to.buffers()[b].words(),
                                             .planes = from.planesOf(b),
                                             .stride = from.words() * from.capacity(),
                                             .kWords = from.words()},
                       count_);
    };
    for (size_t a = 0; a < models_[0].attributes.all().size(); ++a) gather(models_[0].attributes.all()[a], models_[1].attributes.all()[a]);
    gather(origins_[0], origins_[1]);
    gather(damages_[0], damages_[1]);
}

Gaussians SplatMerger::splats() const { return models_[0].download(device_, shDegree_, 0, count_); }

std::vector<uint32_t> SplatMerger::origins() const { return device_.download<uint32_t>(origins_[0].slice(0, 0, count_), count_); }

}  // namespace splat
