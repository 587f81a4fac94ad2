#include "train/store.h"

#include <algorithm>

#include "gpu/check.h"

namespace splat {

namespace {

constexpr uint64_t kAlignment = 256;  // gaussians; of the offset of any plane then too, whatever its words

}  // namespace

GaussianStore::GaussianStore(gpu::Device& device, uint32_t capacity, bool statistics)
    : model(device, capacity), moments(device, capacity), hasStatistics(!statistics), device_(&device) {
    keepStatistics(statistics);
}

void GaussianStore::keepStatistics(bool statistics) {
    if (statistics == hasStatistics) return;
    hasStatistics = statistics;
    growth = device_->buffer<shared::GrowthStatistics>("growth statistics", statistics ? model.capacity : 1);
    device_->run("clear growth statistics", [&](gpu::Commands& c) { c.fill(growth, 0); });
}

uint32_t GaussianStore::roundedCapacity(uint64_t gaussians) {
    constexpr uint64_t kMost = uint64_t{1} << 30u;  // shaders/lib/parents.slang keeps two bits of an index for itself
    const uint64_t wanted = std::max<uint64_t>(gaussians, 1);
    return static_cast<uint32_t>(std::min((wanted + kAlignment - 1) / kAlignment * kAlignment, kMost));
}

std::vector<Attribute> GaussianStore::attributes() {
    using enum AttributeKind;
    // The largest first: where memory is short, it is they who do not fit, and little has been moved for nothing.
    std::vector<Attribute> all = {{"sh_rest_moments", &moments.shRest, 6, kShRest, moment},
                                  {"sh_rest", &model.shRest, 3, kShRest, parameter},
                                  {"rotation_moments", &moments.rotations, 8, 1, moment},
                                  {"mean_moments", &moments.means, 6, 1, moment},
                                  {"log_scale_moments", &moments.logScales, 6, 1, moment},
                                  {"sh0_moments", &moments.sh0, 6, 1, moment},
                                  {"rotations", &model.rotations, 4, 1, parameter},
                                  {"means", &model.means, 3, 1, parameter},
                                  {"log_scales", &model.logScales, 3, 1, parameter},
                                  {"sh0", &model.sh0, 3, 1, parameter},
                                  {"logit_opacity_moments", &moments.logitOpacities, 2, 1, moment},
                                  {"logit_opacities", &model.logitOpacities, 1, 1, parameter}};
    if (hasStatistics) all.push_back({"growth", &growth, 3, 1, statistic});
    return all;
}

void GaussianStore::resize(const Attribute& a, uint32_t from, uint32_t to) {
    const uint64_t plane = a.bytes();
    const gpu::BufferSlice old = *a.buffer;
    gpu::Buffer larger(*device_, a.buffer->name(), plane * to * a.planes, old.stride, gpu::Residence::device);
    device_->run("resize " + a.buffer->name(), [&](gpu::Commands& c) {
        c.fill(larger, 0);
        const uint64_t bytes = plane * std::min(from, to);
        for (uint32_t p = 0; p < a.planes; ++p) c.copy(a.buffer->slice(p * plane * from, bytes), larger.slice(p * plane * to, bytes));
    });
    *a.buffer = std::move(larger);
}

void GaussianStore::resize(uint32_t capacity) {
    const uint32_t before = model.capacity;
    const std::vector<Attribute> all = attributes();
    size_t done = 0;
    try {
        for (; done < all.size(); ++done) resize(all[done], before, capacity);
    } catch (const gpu::OutOfMemory&) {
        while (done-- > 0) resize(all[done], capacity, before);
        throw;
    }
    model.capacity = capacity;
}

uint32_t GaussianStore::count() const { return device_->download<uint32_t>(model.count, 1)[0]; }

std::vector<CheckpointSection> GaussianStore::save() {
    const uint64_t gaussians = count();
    std::vector<CheckpointSection> sections;
    for (const Attribute& a : attributes()) {
        CheckpointSection section{std::string(a.name), a.words * 4, std::vector<std::byte>(a.planes * gaussians * a.bytes())};
        const std::span<std::byte> bytes = section.bytes;
        for (uint64_t p = 0; p < a.planes; ++p) {
            const uint64_t plane = gaussians * a.bytes();
            device_->download(a.buffer->slice(p * model.capacity * a.bytes(), plane), bytes.subspan(p * plane, plane));
        }
        sections.push_back(std::move(section));
    }
    return sections;
}

void GaussianStore::load(const Checkpoint& checkpoint, uint32_t gaussians) {
    for (const Attribute& a : attributes()) {
        const uint64_t found = checkpoint.section(a.name, a.words * 4).bytes.size();
        const uint64_t expected = a.planes * gaussians * a.bytes();
        if (found != expected)
            throw InputError("{}: section '{}' has {} bytes, expected {} for {} gaussians", checkpoint.path.string(), a.name, found,
                             expected, gaussians);
    }
    if (gaussians > model.capacity) resize(roundedCapacity(gaussians));
    for (const Attribute& a : attributes()) {
        const std::span<const std::byte> bytes = checkpoint.section(a.name, a.words * 4).bytes;
        const uint64_t plane = gaussians * a.bytes();
        for (uint64_t p = 0; p < a.planes; ++p)
            device_->upload(a.buffer->slice(p * model.capacity * a.bytes(), plane), bytes.subspan(p * plane, plane));
    }
    device_->upload(model.count, std::vector<uint32_t>{gaussians});
}

}  // namespace splat
