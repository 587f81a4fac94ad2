#include <splatwright/explain/weighted_draw.h>

#include <algorithm>
#include <cmath>

#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/model/optimizer.h>
#include "kernels/cdf_systematic.h"
#include "kernels/trace_draws.h"
#include "kernels/weigh_gaussians.h"

namespace splat::explain {

namespace {

using primitives::Cdf;
using primitives::CdfTable;

uint64_t wide(glm::uvec2 words) { return words.x | uint64_t{words.y} << 32u; }

/// The sums in both levels of the table, as one.
std::vector<uint64_t> sumsOf(gpu::Device& device, const CdfTable& table, uint32_t count) {
    const auto inTiles = device.download<uint32_t>(table.sums, count);
    const auto starts = device.download<glm::uvec2>(table.tileStarts.words(), (count + shared::kCdfTile - 1) / shared::kCdfTile);
    std::vector<uint64_t> sums(count);
    for (uint32_t i = 0; i < count; ++i) sums[i] = wide(starts[i / shared::kCdfTile]) + inTiles[i];
    return sums;
}

std::vector<uint64_t> targetsOf(gpu::Device& device, const gpu::Buffer& words, uint32_t draws) {
    std::vector<uint64_t> targets;
    for (const glm::uvec2 target : device.download<glm::uvec2>(words, draws)) targets.push_back(wide(target));
    return targets;
}

std::vector<uint32_t> weightsOf(const std::vector<uint64_t>& sums) {
    std::vector<uint32_t> weights(sums.size());
    for (size_t i = 0; i < sums.size(); ++i) weights[i] = static_cast<uint32_t>(sums[i] - (i > 0 ? sums[i - 1] : 0));
    return weights;
}

}  // namespace

WeightedDraw drawForDivision(gpu::Device& device, const GaussianModel& model, uint32_t seed, double growth) {
    const uint32_t count = device.download<uint32_t>(model.count, 1)[0];
    const auto draws = std::max(static_cast<uint32_t>(std::ceil(count * (growth - 1))), 1u);
    const Cdf cdf(device);
    const CdfTable table = cdf.table("explained draw", model.capacity);
    const AdamMoments moments(device, model.capacity);  // the kernel resets those of unusable Gaussians; here nobody needs them
    const gpu::Buffer refinement = device.buffer<shared::Refinement>("explained refinement", 1);
    const gpu::Buffer dead = device.buffer<uint32_t>("explained dead", model.capacity);
    const gpu::Buffer weights = device.buffer<uint32_t>("explained weights", model.capacity);
    const gpu::Buffer multiplicities = device.buffer<uint32_t>("explained multiplicities", model.capacity);
    const gpu::Buffer sources = device.buffer<uint32_t>("explained sources", draws);
    const gpu::Buffer targets = device.buffer<glm::uvec2>("explained targets", draws);
    device.upload(refinement, std::vector{shared::Refinement{.before = count, .seed = seed}});
    const kernels::weigh_gaussians weigh{
        .refinement = refinement, .dead = dead, .weights = weights, .pruneOpacity = static_cast<float>(defaultsOf("mcmc").pruneOpacity)};
    device.run("explained draw", [&](gpu::Commands& c) {
        c.dispatch(withMoments(withModel(weigh, model), moments), count);
        cdf.record(c, {weights, table}, {count});
        cdf.recordSystematic(c,
                             {.table = table,
                              .seed = {refinement, shared::kRefinementSeed},
                              .stream = shared::kGrowthStream,
                              .sources = sources,
                              .multiplicities = multiplicities},
                             {draws});
        c.dispatchIndirect(kernels::trace_draws{.plan = table.plan, .targets = targets}, table.arguments);
    });
    const uint32_t drawn = device.download<shared::CdfPlan>(table.plan, 1)[0].draws;
    WeightedDraw draw{.weights = device.download<uint32_t>(weights, count),
                      .sums = sumsOf(device, table, count),
                      .targets = {},
                      .sources = device.download<uint32_t>(sources, drawn),
                      .multiplicities = device.download<uint32_t>(multiplicities, count)};
    for (const uint32_t isDead : device.download<uint32_t>(dead, count)) draw.dead += isDead;
    draw.targets = targetsOf(device, targets, drawn);
    return draw;
}

/// The draw's own kernel inverts its numbers once more, because what it found at first has been overwritten.
std::optional<WeightedDraw> lastDraw(gpu::Device& device, const CdfTable& table) {
    const uint32_t draws = device.download<shared::CdfPlan>(table.plan, 1)[0].draws;
    if (draws == 0) return std::nullopt;
    const uint32_t count = device.download<shared::CdfTotal>(table.total, 1)[0].weights;
    const gpu::Buffer sources = device.buffer<uint32_t>("explained sources", draws);
    const gpu::Buffer multiplicities = device.buffer<uint32_t>("explained multiplicities", count);
    const gpu::Buffer targets = device.buffer<glm::uvec2>("explained targets", draws);
    device.run("explained draw", [&](gpu::Commands& c) {
        c.fill(multiplicities, 0);
        c.dispatchIndirect(kernels::cdf_systematic{.total = table.total,
                                                   .plan = table.plan,
                                                   .tileStarts = table.tileStarts,
                                                   .sums = table.sums,
                                                   .sources = sources,
                                                   .multiplicities = multiplicities},
                           table.arguments);
        c.dispatchIndirect(kernels::trace_draws{.plan = table.plan, .targets = targets}, table.arguments);
    });
    const std::vector<uint64_t> sums = sumsOf(device, table, count);
    return WeightedDraw{.weights = weightsOf(sums),
                        .sums = sums,
                        .targets = targetsOf(device, targets, draws),
                        .sources = device.download<uint32_t>(sources, draws),
                        .multiplicities = device.download<uint32_t>(multiplicities, count)};
}

std::vector<SearchStep> searchOf(const WeightedDraw& draw, uint64_t target) {
    std::vector<SearchStep> steps;
    uint32_t low = 0, high = static_cast<uint32_t>(draw.sums.size()) - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const bool exceeds = draw.sums[middle] > target;
        steps.push_back({low, high, middle, exceeds});
        exceeds ? high = middle : low = middle + 1;
    }
    return steps;
}

}  // namespace splat::explain
