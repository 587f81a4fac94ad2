#include <splatwright/train/model/store.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/download.h>
#include <splatwright/render/frame.h>
#include <splatwright/train/checkpoint/checkpoint.h>

namespace splat {

namespace {

constexpr uint32_t kWordBytes = sizeof(uint32_t);
constexpr uint64_t kAlignment = 256;  // Gaussians; a plane of any number of words then starts at a multiple of 256 bytes

template <class Row>
PlanarBuffer emptyRows(gpu::Device& device, const char* name, uint32_t capacity) {
    PlanarBuffer rows(device, name, sizeof(Row) / kWordBytes, 1, capacity);
    device.run("clear statistics", [&](gpu::Commands& c) { c.fill(rows, 0); });
    return rows;
}

PlanarBuffer emptyStatistics(gpu::Device& device, uint32_t capacity) {
    return emptyRows<shared::DensifyStatistics>(device, "densification statistics", capacity);
}

PlanarBuffer emptyBlendStatistics(gpu::Device& device, uint32_t capacity) {
    return emptyRows<shared::BlendSums>(device, "blend statistics", capacity);
}

std::string averageSection(const AttributeRow& row) { return fmt::format("average {}", row.section); }

PlanarBuffer zeroCounts(gpu::Device& device, uint32_t capacity) { return emptyRows<uint32_t>(device, "unseen steps", capacity); }

}  // namespace

GaussianStore::GaussianStore(gpu::Device& device, uint32_t capacity, bool statistics)
    : model(device, capacity),
      moments(device, capacity),
      hasStatistics(statistics),
      densifyStatistics(emptyStatistics(device, statistics ? capacity : 1)),
      blendStatistics(emptyBlendStatistics(device, 1)),
      unseenSteps(zeroCounts(device, 1)),
      device_(&device) {}

void GaussianStore::keep(bool kept, bool& keeps, PlanarBuffer& rows, PlanarBuffer (*empty)(gpu::Device&, uint32_t)) {
    if (kept == keeps) return;
    keeps = kept;
    rows = empty(*device_, kept ? model.capacity : 1);
}

void GaussianStore::keepStatistics(bool statistics) { keep(statistics, hasStatistics, densifyStatistics, emptyStatistics); }

void GaussianStore::keepBlendStatistics(bool kept) { keep(kept, hasBlendStatistics, blendStatistics, emptyBlendStatistics); }

void GaussianStore::countUnseen(bool counted) { keep(counted, countsUnseen, unseenSteps, zeroCounts); }

void GaussianStore::keepAverages(bool kept) {
    if (kept == averages.has_value()) return;
    averages.reset();
    if (kept) averages.emplace(*device_, "averages of", &AttributeRow::words, model.capacity);
}

void GaussianStore::filter3d(bool filter) { model.filter3d(*device_, filter); }

uint32_t GaussianStore::roundedCapacity(uint64_t gaussians) {
    constexpr uint64_t kMost = uint64_t{1} << shared::kParentIndexBits;
    const uint64_t wanted = std::max<uint64_t>(gaussians, 1);
    return static_cast<uint32_t>(std::min((wanted + kAlignment - 1) / kAlignment * kAlignment, kMost));
}

std::vector<StoredBuffer> GaussianStore::buffers() {
    std::vector<StoredBuffer> all;
    for (size_t a = 0; a < std::size(kAttributes); ++a) {
        if (!model.kind.row->has(static_cast<Attribute>(a))) continue;
        all.push_back({std::string(kAttributes[a].section), &model.attributes.all()[a], BufferKind::parameter});
        all.push_back({std::string(kAttributes[a].moments), &moments.all()[a], BufferKind::moment});
        if (averages) all.push_back({averageSection(kAttributes[a]), &averages->all()[a], BufferKind::parameter});
    }
    if (model.filtered) all.push_back({"filter_variances", &model.filterVariances, BufferKind::parameter});
    if (countsUnseen) all.push_back({"unseen_steps", &unseenSteps, BufferKind::parameter});
    if (hasStatistics) all.push_back({"growth", &densifyStatistics, BufferKind::statistic});
    if (hasBlendStatistics) all.push_back({"blend_statistics", &blendStatistics, BufferKind::statistic});
    return all;
}

void GaussianStore::resize(uint32_t capacity) {
    std::vector<PlanarBuffer*> all;
    for (const StoredBuffer& b : buffers()) all.push_back(b.values);
    const GaussianMove kept{.count = std::min(model.capacity, capacity)};
    splat::resize(*device_, all, {&kept, 1}, capacity);
    model.capacity = capacity;
}

uint32_t GaussianStore::count() const { return device_->download<uint32_t>(model.count, 1)[0]; }

std::vector<CheckpointSection> GaussianStore::save() {
    const uint32_t gaussians = count();
    std::vector<CheckpointSection> sections;
    std::vector<gpu::Download> parts;
    for (const StoredBuffer& b : buffers()) {
        std::vector<std::byte> bytes(uint64_t{b.values->planes()} * gaussians * b.values->bytes());
        const uint64_t plane = gaussians * b.values->bytes();
        for (uint32_t p = 0; p < b.values->planes(); ++p)
            parts.push_back({b.values->slice(p, 0, gaussians), std::span(bytes).subspan(p * plane, plane)});
        sections.push_back({b.name, b.values->words() * 4, std::move(bytes)});  // the bytes stay where they are
    }
    gpu::download(*device_, parts);
    return sections;
}

namespace {

std::span<const std::byte> bytesOf(const StoredBuffer& b, const Checkpoint& checkpoint) {
    return checkpoint.section(b.name, b.values->words() * kWordBytes).bytes;
}

void checkSections(std::span<const StoredBuffer> buffers, const Checkpoint& checkpoint, uint32_t gaussians) {
    for (const StoredBuffer& b : buffers) {
        const uint64_t found = bytesOf(b, checkpoint).size(), expected = uint64_t{b.values->planes()} * gaussians * b.values->bytes();
        if (found != expected)
            throw InputError("{}: section '{}' has {} bytes, expected {} for {} gaussians", checkpoint.path.string(), b.name, found,
                             expected, gaussians);
    }
}

}  // namespace

void GaussianStore::load(const Checkpoint& checkpoint, uint32_t gaussians) {
    if (gaussians == 0 || gaussians > FrameCapacity::kMostTrained)
        throw InputError("{}: gaussians is {}, expected 1 to {}", checkpoint.path.string(), gaussians, FrameCapacity::kMostTrained);
    std::optional<AttributeBuffers> before = std::exchange(averages, std::nullopt);
    keepAverages(checkpoint.has(averageSection(kAttributes[0])));
    try {
        checkSections(buffers(), checkpoint, gaussians);
    } catch (const InputError&) {
        averages = std::move(before);
        throw;
    }
    if (gaussians > model.capacity) resize(roundedCapacity(gaussians));
    for (const StoredBuffer& b : buffers()) b.values->upload(*device_, bytesOf(b, checkpoint));
    device_->upload(model.count, std::vector<uint32_t>{gaussians});
}

}  // namespace splat
