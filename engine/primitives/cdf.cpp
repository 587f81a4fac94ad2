#include <splatwright/primitives/cdf.h>

#include <algorithm>

#include <splatwright/primitives/scan_grid.h>
#include <splatwright/shared/dispatch.h>
#include "kernels/cdf_clear.h"
#include "kernels/cdf_independent.h"
#include "kernels/cdf_plan.h"
#include "kernels/cdf_systematic.h"
#include "kernels/cdf_tiles.h"
#include "kernels/cdf_tiles_portable.h"
#include "kernels/cdf_totals.h"

namespace splat::primitives {

namespace {

constexpr uint64_t kWord = sizeof(uint32_t);

/// Elements to allocate; Vulkan has no empty buffers.
uint64_t weightsOf(uint32_t capacity) { return std::max(capacity, 1u); }
uint64_t tilesOf(uint32_t capacity) { return (weightsOf(capacity) + shared::kCdfTile - 1) / shared::kCdfTile; }

uint64_t weightsIn(const CdfTable& table) { return table.sums.bytes() / kWord; }

}  // namespace

uint64_t Cdf::tableBytes(uint32_t capacity) {
    return weightsOf(capacity) * kWord + tilesOf(capacity) * sizeof(uint64_t) + sizeof(shared::CdfTotal) + sizeof(shared::CdfPlan) +
           sizeof(shared::DispatchArguments);
}

CdfTable Cdf::table(const std::string& name, uint32_t capacity) const {
    return {.sums = device_->buffer<uint32_t>(name + " sums", weightsOf(capacity)),
            .tileStarts = device_->buffer<uint64_t>(name + " tile starts", tilesOf(capacity)),
            .total = device_->buffer<shared::CdfTotal>(name + " total", 1),
            .plan = device_->buffer<shared::CdfPlan>(name + " plan", 1),
            .arguments = device_->buffer<shared::DispatchArguments>(name + " arguments", 1)};
}

void Cdf::record(gpu::Commands& commands, const Build& build, const Count& count) const {
    SPLAT_CHECK(count.atMost <= weightsIn(build.table), "{} weights for a table of {}", count.atMost, weightsIn(build.table));
    SPLAT_CHECK(count.atMost * kWord <= build.weights.bytes, "{} weights in {} bytes", count.atMost, build.weights.bytes);
    const uint32_t groups = scanGroups(count);
    const gpu::BufferSlice counts = count.words(build.weights);
    const auto tiles = [&]<class Kernel>() {
        commands.dispatchGroups(Kernel{.weights = build.weights,
                                       .counts = counts,
                                       .sums = build.table.sums,
                                       .tileStarts = build.table.tileStarts,
                                       .groups = groups,
                                       .atMost = count.atMost,
                                       .countIndex = count.index()},
                                groups);
    };
    variant_ == GroupScan::subgroup ? tiles.operator()<kernels::cdf_tiles>() : tiles.operator()<kernels::cdf_tiles_portable>();
    commands.dispatchGroups(kernels::cdf_totals{.counts = counts,
                                                .tileStarts = build.table.tileStarts,
                                                .total = build.table.total,
                                                .atMost = count.atMost,
                                                .countIndex = count.index()},
                            1);
}

void Cdf::recordPlan(gpu::Commands& commands, const Draw& draw, const Count& draws) {
    SPLAT_CHECK(draws.atMost * kWord <= draw.sources.bytes, "{} draws into {} bytes", draws.atMost, draw.sources.bytes);
    SPLAT_CHECK(weightsIn(draw.table) * kWord <= draw.multiplicities.bytes, "{} weights' multiplicities in {} bytes", weightsIn(draw.table),
                draw.multiplicities.bytes);
    commands.dispatchGroups(kernels::cdf_plan{.total = draw.table.total,
                                              .counts = draws.words(draw.seed.words()),
                                              .seeds = draw.seed.words(),
                                              .plan = draw.table.plan,
                                              .arguments = draw.table.arguments,
                                              .atMost = draws.atMost,
                                              .countIndex = draws.index(),
                                              .seedIndex = draw.seed.index,
                                              .stream = draw.stream},
                            1);
    commands.dispatch(kernels::cdf_clear{.total = draw.table.total, .multiplicities = draw.multiplicities}, weightsIn(draw.table));
}

void Cdf::recordSystematic(gpu::Commands& commands, const Draw& draw, const Count& draws) const {
    recordPlan(commands, draw, draws);
    commands.dispatchIndirect(kernels::cdf_systematic{.total = draw.table.total,
                                                      .plan = draw.table.plan,
                                                      .tileStarts = draw.table.tileStarts,
                                                      .sums = draw.table.sums,
                                                      .sources = draw.sources,
                                                      .multiplicities = draw.multiplicities},
                              draw.table.arguments);
}

void Cdf::recordIndependent(gpu::Commands& commands, const Draw& draw, const Count& draws) const {
    recordPlan(commands, draw, draws);
    commands.dispatchIndirect(kernels::cdf_independent{.total = draw.table.total,
                                                       .plan = draw.table.plan,
                                                       .seeds = draw.seed.words(),
                                                       .tileStarts = draw.table.tileStarts,
                                                       .sums = draw.table.sums,
                                                       .sources = draw.sources,
                                                       .multiplicities = draw.multiplicities,
                                                       .seedIndex = draw.seed.index,
                                                       .stream = draw.stream},
                              draw.table.arguments);
}

}  // namespace splat::primitives
