#include <splatwright/scene/formats/splat_blocks.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

constexpr size_t kBlockSplats = 4096;

}  // namespace

SplatBlocks::SplatBlocks(Gaussians form, size_t count) : form_(std::move(form)) {
    for (size_t first = 0; first < count; first += kBlockSplats) starts_.push_back(first);
    starts_.push_back(count);
}

SplatBlocks::SplatBlocks(Gaussians form, std::span<const size_t> counts) : form_(std::move(form)), starts_{0} {
    for (const size_t count : counts) starts_.push_back(starts_.back() + count);
}

Gaussians formOf(const Gaussians& gaussians) {
    Gaussians form;
    form.shDegree = gaussians.shDegree;
    form.antialiased = gaussians.antialiased;
    for (const ExtraColumn& column : gaussians.extras) form.extras.push_back({column.name, column.type, {}});
    return form;
}

Gaussians modelOf(const Gaussians& form, size_t count) {
    Gaussians model = form;
    model.resize(count, form.shDegree);
    return model;
}

Gaussians readBlocks(const SplatBlocks& blocks) {
    Gaussians all = modelOf(blocks.form(), blocks.count());
    parallelFor(blocks.blocks(), [&](size_t block) {
        blocks.visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            for (size_t i = first; i < end; ++i) copyGaussian(all, blocks.start(block) + i - first, splats, i);
        });
    });
    return all;
}

}  // namespace splat
