#include <splatwright/primitives/distinct_draws.h>

#include <algorithm>

#include "kernels/race_draws.h"
#include "kernels/race_keys.h"

namespace splat::primitives {

namespace {

constexpr uint64_t kWord = sizeof(uint32_t);
constexpr BitWindow kWindow{0, 32};
static_assert(resultSide(kWindow) == Side::a);

void check(const DistinctDraws::Job& job, const Count& items, const Count& draws) {
    SPLAT_CHECK(items.atMost * kWord <= job.weights.bytes, "{} weights in {} bytes", items.atMost, job.weights.bytes);
    SPLAT_CHECK(items.atMost * kWord <= job.scratch.keysA.bytes(), "{} items, scratch for {} bytes", items.atMost,
                job.scratch.keysA.bytes());
    SPLAT_CHECK(draws.atMost * kWord <= job.sources.bytes, "{} draws into {} bytes", draws.atMost, job.sources.bytes);
}

}  // namespace

DistinctDraws::Scratch DistinctDraws::scratch(const std::string& name, uint32_t capacity) const {
    const auto buffer = [&](const char* what) { return device_->buffer<uint32_t>(name + what, std::max(capacity, 1u)); };
    return {.keysA = buffer(" keys A"),
            .itemsA = buffer(" items A"),
            .keysB = buffer(" keys B"),
            .itemsB = buffer(" items B"),
            .sort = RadixSort::scratch(*device_, name, capacity)};
}

void DistinctDraws::record(gpu::Commands& commands, const Job& job, const Count& items, const Count& draws) const {
    check(job, items, draws);
    const Scratch& s = job.scratch;
    commands.dispatch(kernels::race_keys{.weights = job.weights,
                                         .counts = items.words(job.seed.words()),
                                         .seeds = job.seed.words(),
                                         .keys = s.keysA,
                                         .items = s.itemsA,
                                         .atMost = items.atMost,
                                         .countIndex = items.index(),
                                         .seedIndex = job.seed.index,
                                         .stream = job.stream},
                      std::max(items.atMost, 1u));
    const SortBuffers buffers{s.keysA, s.itemsA, s.keysB, s.itemsB};
    sort_.record(commands, {.buffers = buffers, .window = kWindow, .scratch = s.sort}, items);
    commands.dispatch(kernels::race_draws{.keys = s.keysA,
                                          .items = s.itemsA,
                                          .counts = items.words(job.seed.words()),
                                          .drawCounts = draws.words(job.seed.words()),
                                          .sources = job.sources,
                                          .drawn = job.drawn.words(),
                                          .atMost = items.atMost,
                                          .countIndex = items.index(),
                                          .mostDraws = draws.atMost,
                                          .drawCountIndex = draws.index(),
                                          .drawnIndex = job.drawn.index},
                      std::max(draws.atMost, 1u));
}

}  // namespace splat::primitives
