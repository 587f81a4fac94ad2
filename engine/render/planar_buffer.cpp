#include <splatwright/render/planar_buffer.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/shared/frame.h>

namespace splat {

static_assert(PlanarBuffer::kMostBytes == sizeof(shared::Projected));

PlanarBuffer::PlanarBuffer(gpu::Device& device, std::string name, uint32_t words, uint32_t planes, uint32_t capacity)
    : name_(std::move(name)), words_(words), planes_(planes), capacity_(capacity) {
    for (size_t b = 0; b * planesPerBuffer() < planes; ++b) buffers_.push_back(emptyBuffer(device, b, capacity));
}

uint32_t PlanarBuffer::planesOf(size_t buffer) const {
    return std::min(planesPerBuffer(), planes_ - static_cast<uint32_t>(buffer) * planesPerBuffer());
}

gpu::Buffer PlanarBuffer::emptyBuffer(gpu::Device& device, size_t buffer, uint32_t capacity) const {
    const std::string name = planes_ > planesPerBuffer() ? fmt::format("{} {}", name_, buffer) : name_;
    return {device, name, bytes() * planesOf(buffer) * capacity, static_cast<uint32_t>(bytes()), gpu::Residence::device};
}

const gpu::Buffer& PlanarBuffer::only() const {
    SPLAT_CHECK(buffers_.size() == 1, "'{}' is spread over {} buffers", name_, buffers_.size());
    return buffers_[0];
}

gpu::BufferSlice PlanarBuffer::slice(uint32_t plane, uint64_t first, uint64_t count) const {
    SPLAT_CHECK(plane < planes_ && first + count <= capacity_, "plane {} of {}, Gaussians {}+{} of {} of '{}'", plane, planes_, first,
                count, capacity_, name_);
    const uint64_t begin = uint64_t{plane % planesPerBuffer()} * capacity_ + first;
    return buffers_[plane / planesPerBuffer()].slice(begin * bytes(), count * bytes());
}

std::vector<std::byte> PlanarBuffer::download(gpu::Device& device, uint64_t gaussians) const {
    const uint64_t plane = gaussians * bytes();
    std::vector<std::byte> all(planes_ * plane);
    for (uint32_t p = 0; p < planes_; ++p) device.download(slice(p, 0, gaussians), std::span(all).subspan(p * plane, plane));
    return all;
}

void PlanarBuffer::upload(gpu::Device& device, std::span<const std::byte> all) const {
    const uint64_t plane = all.size() / planes_;
    SPLAT_CHECK(plane * planes_ == all.size() && plane % bytes() == 0, "{} bytes for '{}'", all.size(), name_);
    for (uint32_t p = 0; p < planes_; ++p) device.upload(slice(p, 0, plane / bytes()), all.subspan(p * plane, plane));
}

void PlanarBuffer::moveBuffer(gpu::Device& device, size_t buffer, std::span<const GaussianMove> moves, uint32_t capacity) {
    gpu::Buffer next = emptyBuffer(device, buffer, capacity);
    const gpu::Buffer& old = buffers_[buffer];
    device.run("resize " + next.name(), [&](gpu::Commands& c) {
        c.fill(next, 0);
        for (uint64_t p = 0; p < planesOf(buffer); ++p)
            for (const GaussianMove& m : moves)
                c.copy(old.slice((p * capacity_ + m.from) * bytes(), m.count * bytes()),
                       next.slice((p * capacity + m.to) * bytes(), m.count * bytes()));
    });
    buffers_[buffer] = std::move(next);
}

/// Undoes moveBuffer() to `capacity`. Through the host, because there may be no memory for both buffers.
void PlanarBuffer::moveBack(gpu::Device& device, size_t buffer, std::span<const GaussianMove> moves, uint32_t capacity) {
    std::vector<std::vector<std::byte>> ranges;
    for (uint64_t p = 0; p < planesOf(buffer); ++p)
        for (const GaussianMove& m : moves)
            ranges.push_back(
                device.download<std::byte>(buffers_[buffer].slice((p * capacity + m.to) * bytes(), m.count * bytes()), m.count * bytes()));
    buffers_[buffer] = {};
    buffers_[buffer] = emptyBuffer(device, buffer, capacity_);
    device.run("resize " + buffers_[buffer].name(), [&](gpu::Commands& c) { c.fill(buffers_[buffer], 0); });
    size_t next = 0;
    for (uint64_t p = 0; p < planesOf(buffer); ++p)
        for (const GaussianMove& m : moves)
            device.upload(buffers_[buffer].slice((p * capacity_ + m.from) * bytes(), m.count * bytes()), ranges[next++]);
}

void resize(gpu::Device& device, std::span<PlanarBuffer* const> all, std::span<const GaussianMove> moves, uint32_t capacity) {
    std::vector<std::pair<PlanarBuffer*, size_t>> moved;
    try {
        for (PlanarBuffer* planes : all) {
            for (size_t b = 0; b < planes->buffers_.size(); ++b) {
                planes->moveBuffer(device, b, moves, capacity);
                moved.emplace_back(planes, b);
            }
        }
    } catch (const gpu::OutOfMemory&) {
        for (const auto& [planes, b] : std::views::reverse(moved)) planes->moveBack(device, b, moves, capacity);
        throw;
    }
    for (PlanarBuffer* planes : all) planes->capacity_ = capacity;
}

}  // namespace splat
