#include <splatwright/render/model.h>

#include <algorithm>

#include <splatwright/gpu/commands.h>
#include <splatwright/scene/gaussians/filter3d.h>
#include <splatwright/shared/frame.h>

namespace splat {

static_assert(rowOf(Attribute::shRest).planes == shared::kShRest && PlanarBuffer::planesPerBuffer(3) == shared::kShRestPerBuffer &&
              PlanarBuffer::planesPerBuffer(rowOf(Attribute::shRest).momentWords) == shared::kShRestMomentsPerBuffer);

AttributeBuffers::AttributeBuffers(gpu::Device& device, std::string_view name, uint32_t AttributeRow::*words, uint32_t capacity) {
    for (const AttributeRow& row : kAttributes)
        all_.emplace_back(device, fmt::format("{} {}", name, row.section), row.*words, row.planes, capacity);
}

namespace {

PlanarBuffer emptyFilters(gpu::Device& device, uint32_t capacity) {
    PlanarBuffer filters(device, "filter variances", 1, 1, capacity);
    device.run("clear filters", [&](gpu::Commands& c) { c.fill(filters, 0); });
    return filters;
}

}  // namespace

void AttributeBuffers::bind(std::string_view name, std::span<gpu::BufferSlice> member, std::string_view suffix) const {
    if (!name.ends_with(suffix)) return;
    const auto row = std::ranges::find(kAttributes, name.substr(0, name.size() - suffix.size()), &AttributeRow::binding);
    if (row == std::end(kAttributes)) return;
    const PlanarBuffer& planes = all_[static_cast<size_t>(row - std::begin(kAttributes))];
    SPLAT_CHECK(member.size() == planes.buffers().size(), "the kernel takes {} buffers of '{}', which has {}", member.size(), planes.name(),
                planes.buffers().size());
    std::ranges::copy(planes.buffers(), member.begin());
}

GaussianModel::GaussianModel(gpu::Device& device, uint32_t size, const ModelKind& what)
    : kind(what),
      capacity(std::max(size, 1u)),
      attributes(device, "gaussian", &AttributeRow::words, capacity),
      filterVariances(emptyFilters(device, 1)),
      count(device.buffer<uint32_t>("gaussian count", 1)) {}

void GaussianModel::filter3d(gpu::Device& device, bool filter) {
    if (filter == filtered) return;
    filtered = filter;
    filterVariances = emptyFilters(device, filter ? capacity : 1);
}

void GaussianModel::upload(gpu::Device& device, const Gaussians& g) {
    SPLAT_CHECK(g.count() <= capacity, "{} Gaussians, capacity {}", g.count(), capacity);
    device.run("clear coefficients", [&](gpu::Commands& c) {
        for (const gpu::Buffer& buffer : attributes[Attribute::shRest].buffers()) c.fill(buffer, 0);
    });
    upload(device, g, 0);
    antialiased = g.antialiased;
    device.upload(count, std::vector<uint32_t>{static_cast<uint32_t>(g.count())});
}

void GaussianModel::upload(gpu::Device& device, const Gaussians& g, uint64_t first) {
    for (size_t a = 0; a < attributes.all().size(); ++a) {
        const AttributeRow& row = kAttributes[a];
        if (!kind.row->has(static_cast<Attribute>(a))) continue;
        for (uint32_t p = 0; p < planesAt(row, g.shDegree); ++p)
            device.upload(attributes.all()[a].slice(p, first, g.count()), gather(g, row, p));
    }
}

Gaussians GaussianModel::download(gpu::Device& device, int shDegree) const {
    return download(device, shDegree, 0, device.download<uint32_t>(count, 1)[0]);
}

Gaussians GaussianModel::download(gpu::Device& device, int shDegree, uint64_t first, uint64_t gaussians) const {
    Gaussians g;
    g.resize(gaussians, shDegree);
    g.antialiased = antialiased;
    for (size_t a = 0; a < attributes.all().size(); ++a) {
        const AttributeRow& row = kAttributes[a];
        if (!kind.row->has(static_cast<Attribute>(a))) continue;
        for (uint32_t p = 0; p < planesAt(row, shDegree); ++p)
            scatter(g, row, p, device.download<float>(attributes.all()[a].slice(p, first, gaussians), gaussians * row.words));
    }
    if (filtered) bakeFilter(g, device.download<float>(filterVariances.slice(0, first, gaussians), gaussians));
    return g;
}

void recordCopy(gpu::Commands& c, const ModelPlace& from, const ModelPlace& to, uint64_t count, int shDegree) {
    for (size_t a = 0; a < std::size(kAttributes); ++a)
        for (uint32_t p = 0; p < planesAt(kAttributes[a], shDegree); ++p)
            c.copy(from.model.attributes.all()[a].slice(p, from.first, count), to.model.attributes.all()[a].slice(p, to.first, count));
}

}  // namespace splat
