#include <splatwright/train/step/state_copy.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/core/platform/machine.h>
#include <splatwright/gpu/check.h>

namespace splat {

namespace {

/// A copy is pinned memory, which must not push out what others use.
uint64_t mostBytes() { return platform::physicalMemory() / 8; }

}  // namespace

StateCopy::~StateCopy() {
    try {
        finish();
    } catch (const Error& e) {
        spdlog::debug("while leaving a copy: {}", e.what());
    }
}

void StateCopy::finish() const {
    if (ticket_) device_->wait(*ticket_);
}

void StateCopy::forget() {
    finish();
    ticket_.reset();
}

/// Pinning memory takes long, so there is a margin for a model that grows.
void StateCopy::reserve(uint64_t bytes) {
    constexpr double kMargin = 1.25;
    if (bytes_ && bytes_.bytes() >= bytes) return;
    if (bytes > mostBytes())
        throw gpu::OutOfMemory("a copy needs {} MiB, expected at most an eighth of the host's memory, {} MiB", bytes >> 20u,
                               mostBytes() >> 20u);
    bytes_ = {};
    bytes_ = device_->buffer<std::byte>("copy of the state", static_cast<size_t>(kMargin * static_cast<double>(bytes)),
                                        gpu::Residence::readback);
}

void StateCopy::take(GaussianStore& store, Checkpoint rest) {
    forget();
    parts_.clear();
    const auto gaussians = rest.value<uint32_t>("gaussians");
    const std::vector<StoredBuffer> buffers = store.buffers();
    uint64_t bytes = 0;
    for (const StoredBuffer& b : buffers) {
        const uint64_t own = uint64_t{b.values->planes()} * gaussians * b.values->bytes();
        parts_.push_back({std::string(b.name), b.values->words() * 4, bytes, own});
        bytes += own;
    }
    reserve(bytes);
    commands_.emplace(*device_, "copy the state");
    for (size_t i = 0; i < buffers.size(); ++i) {
        const PlanarBuffer& values = *buffers[i].values;
        const uint64_t plane = gaussians * values.bytes();
        for (uint32_t p = 0; p < values.planes(); ++p)
            commands_->copy(values.slice(p, 0, gaussians), bytes_.slice(parts_[i].offset + p * plane, plane));
    }
    commands_->end();
    rest_ = std::move(rest);
    ticket_ = device_->submit(*commands_);
}

std::optional<uint32_t> StateCopy::step() const {
    if (!ticket_) return {};
    return rest_.value<uint32_t>("step");
}

Checkpoint StateCopy::checkpoint() const {
    SPLAT_CHECK(ticket_, "there is no copy");
    finish();
    Checkpoint checkpoint{rest_.header, {}, {}};
    for (const Part& part : parts_) {
        const std::byte* first = bytes_.mapped<std::byte>() + part.offset;
        checkpoint.sections.push_back({part.name, part.stride, {first, first + part.bytes}});
    }
    std::ranges::copy(rest_.sections, std::back_inserter(checkpoint.sections));
    return checkpoint;
}

}  // namespace splat
