#pragma once

#include <span>
#include <string>
#include <vector>

#include <splatwright/gpu/device.h>

namespace splat {

/// A range of Gaussians that moves within a buffer when the buffer gets another size.
struct GaussianMove {
    uint64_t from = 0, to = 0, count = 0;
};

/// Words per Gaussian on the device: `planes` arrays of `words` words per Gaussian. Planes are spread over several buffers, so that the
/// device's limit of a binding does not limit the model. Plane p starts at element (p % planesPerBuffer()) * capacity() of its buffer.
class PlanarBuffer {
public:
    /// No buffer takes more per Gaussian, unless a single plane does: as much as the largest of a frame's buffers (shared::Projected).
    static constexpr uint32_t kMostBytes = 48;
    static constexpr uint32_t planesPerBuffer(uint32_t words) { return std::max(1u, kMostBytes / (4 * words)); }

    PlanarBuffer(gpu::Device& device, std::string name, uint32_t words, uint32_t planes, uint32_t capacity);

    const std::string& name() const { return name_; }
    uint32_t words() const { return words_; }
    uint32_t planes() const { return planes_; }
    uint32_t capacity() const { return capacity_; }  ///< Gaussians
    uint32_t planesPerBuffer() const { return planesPerBuffer(words_); }
    uint64_t bytes() const { return uint64_t{words_} * sizeof(uint32_t); }  ///< per Gaussian and plane
    std::span<const gpu::Buffer> buffers() const { return buffers_; }
    /// Planes that a buffer holds.
    uint32_t planesOf(size_t buffer) const;
    /// The buffer of one that has a single one; kernels take it as it is.
    const gpu::Buffer& only() const;
    operator gpu::BufferSlice() const { return only(); }  // NOLINT: as gpu::Buffer

    /// Gaussians [first, first + count) of a plane.
    gpu::BufferSlice slice(uint32_t plane, uint64_t first, uint64_t count) const;

    /// The planes of the first Gaussians, one after the other.
    std::vector<std::byte> download(gpu::Device& device, uint64_t gaussians) const;
    /// The inverse of download(); bytes of so many Gaussians.
    void upload(gpu::Device& device, std::span<const std::byte> bytes) const;

private:
    friend void resize(gpu::Device& device, std::span<PlanarBuffer* const> all, std::span<const GaussianMove> moves, uint32_t capacity);

    gpu::Buffer emptyBuffer(gpu::Device& device, size_t buffer, uint32_t capacity) const;
    void moveBuffer(gpu::Device& device, size_t buffer, std::span<const GaussianMove> moves, uint32_t capacity);
    void moveBack(gpu::Device& device, size_t buffer, std::span<const GaussianMove> moves, uint32_t capacity);

    std::string name_;
    uint32_t words_, planes_, capacity_;
    std::vector<gpu::Buffer> buffers_;
};

/// Gives all of them another capacity and moves ranges of Gaussians to where they are then; all else is zero. One buffer after the other, so
/// that only one is there twice. Throws gpu::OutOfMemory, and then nothing has changed.
void resize(gpu::Device& device, std::span<PlanarBuffer* const> all, std::span<const GaussianMove> moves, uint32_t capacity);

}  // namespace splat
