#include "train/targets.h"

#include <algorithm>

namespace splat {

namespace {

constexpr size_t kLargestBuffer = size_t{1} << 30;  // bytes; captures of larger allocations are slow

std::vector<uint32_t> packed(const Image8& image) {
    const size_t pixels = image.pixels.size() / 3;
    std::vector<uint32_t> words(pixels);
    for (size_t i = 0; i < pixels; ++i) {
        const uint8_t* rgb = &image.pixels[3 * i];
        words[i] = rgb[0] | static_cast<uint32_t>(rgb[1]) << 8u | static_cast<uint32_t>(rgb[2]) << 16u | 0xff000000u;
    }
    return words;
}

struct Placement {
    size_t buffer = 0;
    size_t offset = 0;  // bytes
    size_t bytes = 0;
};

/// Puts images one after the other, into a new buffer when the last one is full.
std::vector<Placement> place(const std::vector<Photograph>& photographs, size_t largest, size_t alignment, std::vector<size_t>& sizes) {
    std::vector<Placement> placements;
    for (const Photograph& p : photographs) {
        const size_t bytes = static_cast<size_t>(p.image.width) * static_cast<size_t>(p.image.height) * 4;
        size_t offset = sizes.empty() ? 0 : (sizes.back() + alignment - 1) / alignment * alignment;
        if (sizes.empty() || offset + bytes > largest) {
            sizes.push_back(0);
            offset = 0;
        }
        placements.push_back({sizes.size() - 1, offset, bytes});
        sizes.back() = offset + bytes;
    }
    return placements;
}

}  // namespace

Targets::Targets(gpu::Device& device, const std::vector<Photograph>& photographs) {
    std::vector<size_t> sizes;
    const size_t largest = std::min<size_t>(kLargestBuffer, device.limits().maxStorageBufferRange);
    const auto placements = place(photographs, largest, device.limits().minStorageBufferOffsetAlignment, sizes);
    for (size_t i = 0; i < sizes.size(); ++i) buffers_.push_back(device.buffer<uint32_t>(fmt::format("photographs {}", i), sizes[i] / 4));
    for (size_t i = 0; i < photographs.size(); ++i) {
        slices_.push_back(buffers_[placements[i].buffer].slice(placements[i].offset, placements[i].bytes));
        device.upload(slices_.back(), packed(photographs[i].image));
    }
}

}  // namespace splat
