#include <splatwright/primitives/layered_cdf.h>

#include <algorithm>

#include "kernels/cdf_groups.h"
#include "kernels/cdf_layered_independent.h"
#include "kernels/cdf_layered_systematic.h"

namespace splat::primitives {

namespace {

constexpr uint64_t kWord = sizeof(uint32_t);

uint64_t groupsIn(const LayeredCdfTable& table) { return table.groupStarts.bytes() / kWord; }

/// Plans a draw as one from all members.
void prepare(gpu::Commands& commands, const LayeredCdf::Draw& draw, const Count& draws) {
    SPLAT_CHECK(draws.atMost * kWord <= draw.sourceGroups.bytes, "groups of {} draws into {} bytes", draws.atMost, draw.sourceGroups.bytes);
    Cdf::recordPlan(commands,
                    {.table = draw.table.members,
                     .seed = draw.seed,
                     .stream = draw.stream,
                     .sources = draw.sources,
                     .multiplicities = draw.multiplicities},
                    draws);
}

/// What both kinds of draws read and write.
template <class Kernel>
Kernel drawKernel(const LayeredCdf::Draw& draw) {
    const LayeredCdfTable& table = draw.table;
    Kernel kernel;
    kernel.total = table.members.total;
    kernel.plan = table.members.plan;
    kernel.tileStarts = table.members.tileStarts;
    kernel.sums = table.members.sums;
    kernel.groupEnds = table.groupEnds;
    kernel.groupStarts = table.groupStarts;
    kernel.layerCounts = table.counts;
    kernel.sources = draw.sources;
    kernel.sourceGroups = draw.sourceGroups;
    kernel.multiplicities = draw.multiplicities;
    return kernel;
}

}  // namespace

LayeredCdfTable LayeredCdf::table(const std::string& name, uint32_t members, uint32_t groups) const {
    const uint64_t allocated = std::max(groups, 1u);  // Vulkan has no empty buffers
    return {.members = cdf_.table(name, members),
            .groupStarts = device_->buffer<uint32_t>(name + " group starts", allocated),
            .groupEnds = device_->buffer<uint64_t>(name + " group ends", allocated),
            .counts = device_->buffer<uint32_t>(name + " counts", 2),
            .scratch = starts_.scratch(name, groups)};
}

void LayeredCdf::record(gpu::Commands& commands, const Build& build, const Count& groups) const {
    const LayeredCdfTable& table = build.table;
    SPLAT_CHECK(groups.atMost <= groupsIn(table), "{} groups for a table of {}", groups.atMost, groupsIn(table));
    SPLAT_CHECK(groups.atMost * kWord <= build.groupSizes.bytes, "sizes of {} groups in {} bytes", groups.atMost, build.groupSizes.bytes);
    starts_.record(commands,
                   {.values = build.groupSizes, .sums = table.groupStarts, .total = table.memberCount(), .scratch = table.scratch}, groups);
    const auto members = static_cast<uint32_t>(std::min(table.members.sums.bytes(), build.weights.bytes) / kWord);
    cdf_.record(commands, {.weights = build.weights, .table = table.members}, {members, table.memberCount()});
    commands.dispatch(kernels::cdf_groups{.total = table.members.total,
                                          .tileStarts = table.members.tileStarts,
                                          .sums = table.members.sums,
                                          .counts = groups.words(build.groupSizes),
                                          .groupSizes = build.groupSizes,
                                          .groupStarts = table.groupStarts,
                                          .groupEnds = table.groupEnds,
                                          .layerCounts = table.counts,
                                          .atMost = groups.atMost,
                                          .countIndex = groups.index()},
                      std::max(groups.atMost, 1u));
}

void LayeredCdf::recordSystematic(gpu::Commands& commands, const Draw& draw, const Count& draws) const {
    prepare(commands, draw, draws);
    commands.dispatchIndirect(drawKernel<kernels::cdf_layered_systematic>(draw), draw.table.members.arguments);
}

void LayeredCdf::recordIndependent(gpu::Commands& commands, const Draw& draw, const Count& draws) const {
    prepare(commands, draw, draws);
    auto kernel = drawKernel<kernels::cdf_layered_independent>(draw);
    kernel.seeds = draw.seed.words();
    kernel.seedIndex = draw.seed.index;
    kernel.stream = draw.stream;
    commands.dispatchIndirect(kernel, draw.table.members.arguments);
}

}  // namespace splat::primitives
