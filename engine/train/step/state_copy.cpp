#include <splatwright/train/step/state_copy.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/core/platform/machine.h>
#include <splatwright/gpu/check.h>
#include <splatwright/gpu/download.h>
#include <splatwright/gpu/memory_budget.h>

namespace splat {

namespace {

/// A copy on the host is pinned memory, which must not push out what others use.
gpu::Buffer hostBuffer(gpu::Device& device, const std::string& name, uint64_t bytes) {
    constexpr double kMargin = 1.25;  // for a model that grows: pinning memory takes long
    constexpr uint64_t kShare = 8;    // of the host's memory
    const uint64_t most = platform::physicalMemory() / kShare;
    if (bytes > most)
        throw gpu::OutOfMemory("a copy needs {} MiB, expected at most an eighth of the host's memory, {} MiB", bytes >> 20u, most >> 20u);
    return device.buffer<std::byte>(name, static_cast<size_t>(kMargin * static_cast<double>(bytes)), gpu::Residence::readback);
}

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

void StateCopy::release() {
    forget();
    bytes_ = {};
}

void StateCopy::reserve(uint64_t bytes) {
    if (bytes_ && bytes_.bytes() >= bytes) return;
    bytes_ = {};
    const std::string name = "copy of the state";
    onDevice_ = gpu::hasRoomToSpare(*device_, bytes);
    bytes_ = onDevice_ ? device_->buffer<std::byte>(name, bytes) : hostBuffer(*device_, name, bytes);
}

void StateCopy::take(GaussianStore& store, Checkpoint rest) {
    forget();
    parts_.clear();
    const auto gaussians = rest.value<uint32_t>("gaussians");
    const std::vector<StoredBuffer> buffers = store.buffers();
    uint64_t bytes = 0;
    for (const StoredBuffer& b : buffers) {
        const uint64_t own = uint64_t{b.values->planes()} * gaussians * b.values->bytes();
        parts_.push_back({b.name, b.values->words() * 4, bytes, own});
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
    std::vector<gpu::Download> downloads;
    for (const Part& part : parts_) {
        std::vector<std::byte>& bytes = checkpoint.sections.emplace_back(part.name, part.stride, std::vector<std::byte>(part.bytes)).bytes;
        if (onDevice_)
            downloads.push_back({bytes_.slice(part.offset, part.bytes), bytes});
        else
            std::copy_n(bytes_.mapped<std::byte>() + part.offset, part.bytes, bytes.begin());
    }
    gpu::download(*device_, downloads);
    std::ranges::copy(rest_.sections, std::back_inserter(checkpoint.sections));
    return checkpoint;
}

}  // namespace splat
