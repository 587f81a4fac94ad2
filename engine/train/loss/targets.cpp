#include <splatwright/train/loss/targets.h>

#include <algorithm>
#include <numeric>

#include <splatwright/core/log.h>
#include <splatwright/core/threads.h>
#include <splatwright/gpu/memory_budget.h>

namespace splat {

namespace {

constexpr size_t kLargestBuffer = size_t{1} << 30;  // bytes; captures of larger allocations are slow, and so is pinning them
constexpr size_t kFewestSlots = 2;                  // one is read while the other is filled
constexpr size_t kMostSlots = 8;                    // more than four steps a submission gain nothing
constexpr uint32_t kResidentAtOnce = 4;
constexpr uint64_t kAlways = uint64_t{64} << 20u;  // bytes that images may take, however little memory is free

bool hasDepth(const Photograph& photograph) { return !photograph.depth.values.pixels.empty(); }

bool hasTransparentPixels(const Photograph& photograph) {
    constexpr uint8_t kHalf = 128;
    return photograph.covers == Coverage::alpha &&
           std::ranges::any_of(photograph.coverage.pixels, [](uint8_t alpha) { return alpha < kHalf; });
}

size_t bytesOf(const Camera& camera, bool depths) {
    const size_t pixels = static_cast<size_t>(camera.width) * static_cast<size_t>(camera.height);
    return 4 * (pixels + (depths ? (pixels + 1) / 2 : 0));
}

/// Bytes of each image, in the order of Targets::image().
std::vector<size_t> sizesOf(std::span<const Photograph> photographs, uint32_t levels) {
    const bool depths = std::ranges::any_of(photographs, hasDepth);
    std::vector<size_t> sizes;
    for (uint32_t level = 0; level < levels; ++level) {
        for (const Photograph& p : photographs) sizes.push_back(bytesOf(downscaled(p.camera, 1 << level), depths));
    }
    return sizes;
}

DepthTarget depthTargetOf(const DepthMap& map) {
    const auto known = std::ranges::count_if(map.values.pixels, [](uint16_t value) { return value > 0; });
    return {static_cast<uint32_t>(known), static_cast<float>(map.scale), static_cast<float>(map.shift)};
}

/// Writes the photograph as words and gives its pixels back, so that the host never holds all photographs twice.
void pack(Photograph& photograph, std::span<uint32_t> words) {
    const std::vector<uint8_t> pixels = std::move(photograph.image.pixels);
    const std::vector<uint8_t> coverage = std::move(photograph.coverage.pixels);
    const size_t count = pixels.size() / 3;
    const std::vector<uint16_t>& depths = photograph.depth.values.pixels;
    const std::span<uint32_t> depthWords = words.subspan(count);  // two values per word; zeros without a map
    std::ranges::fill(depthWords, 0u);
    for (size_t i = 0; i < depths.size(); ++i) depthWords[i / 2] |= uint32_t{depths[i]} << (i % 2 * 16);
    photograph.depth = {};
    for (size_t i = 0; i < count; ++i) {
        const uint8_t* rgb = &pixels[3 * i];
        const uint32_t fourth = coverage.empty() ? 255 : coverage[i];
        words[i] = rgb[0] | static_cast<uint32_t>(rgb[1]) << 8u | static_cast<uint32_t>(rgb[2]) << 16u | fourth << 24u;
    }
}

/// Inverse of pack().
void unpack(Photograph& photograph, std::span<const uint32_t> words) {
    photograph.image = Image8(photograph.image.width, photograph.image.height, 3);
    if (photograph.covers != Coverage::none) photograph.coverage = Image8(photograph.image.width, photograph.image.height, 1);
    for (size_t i = 0; i < photograph.image.pixels.size() / 3; ++i) {
        for (size_t c = 0; c < 3; ++c) photograph.image.pixels[3 * i + c] = static_cast<uint8_t>(words[i] >> 8 * c);
        if (!photograph.coverage.pixels.empty()) photograph.coverage.pixels[i] = static_cast<uint8_t>(words[i] >> 24u);
    }
}

struct Placement {
    size_t buffer = 0;
    size_t offset = 0;  // bytes
    size_t bytes = 0;
};

struct Placements {
    std::vector<Placement> images;
    std::vector<size_t> buffers;  // bytes
};

/// Puts images one after the other, into a new buffer when the last one is full.
Placements place(std::span<const size_t> images, size_t largest, size_t alignment) {
    Placements places;
    for (const size_t bytes : images) {
        std::vector<size_t>& sizes = places.buffers;
        size_t offset = sizes.empty() ? 0 : (sizes.back() + alignment - 1) / alignment * alignment;
        if (sizes.empty() || offset + bytes > largest) {
            sizes.push_back(0);
            offset = 0;
        }
        places.images.push_back({sizes.size() - 1, offset, bytes});
        sizes.back() = offset + bytes;
    }
    return places;
}

}  // namespace

Targets::Targets(gpu::Device& device, std::span<Photograph> photographs, uint64_t deviceBytes, uint32_t levels)
    : device_(device),
      views_(photographs.size()),
      levels_(levels),
      hasDepths_(std::ranges::any_of(photographs, hasDepth)),
      transparent_(std::ranges::any_of(photographs, hasTransparentPixels)),
      depths_(views_ * levels_) {
    for (const Photograph& p : photographs) {
        if (p.covers == Coverage::none || p.covers == coverage_) continue;
        SPLAT_CHECK(coverage_ == Coverage::none, "photograph '{}' has alpha or a mask, and others have the other", p.name);
        coverage_ = p.covers;
    }
    const std::vector<size_t> sizes = sizesOf(photographs, levels);
    const size_t all = std::accumulate(sizes.begin(), sizes.end(), size_t{0}), largest = std::ranges::max(sizes);
    const uint64_t always = std::max<uint64_t>(std::min(deviceBytes, kAlways), kFewestSlots * largest);
    if (all <= always || (all <= deviceBytes && gpu::hasRoomToSpare(device, all))) {
        keepOnGpu(photographs, sizes);
        return;
    }
    const size_t slots = std::min<size_t>(always / largest / 2 * 2, kMostSlots);
    slotPixels_ = static_cast<uint32_t>(largest / 4);
    slotUsed_.resize(slots);
    slots_ = device.buffer<uint32_t>("photograph slots", slots * slotPixels_, gpu::Residence::streamed);
    copies_.resize(sizes.size() * slots);
    keepOnHost(photographs, sizes);
    spdlog::debug("photographs: {:.1f} MiB on the host, {} slots of {:.1f} MiB on the GPU", static_cast<double>(all) / (1 << 20), slots,
                  static_cast<double>(largest) / (1 << 20));
}

/// The GPU must be done with the copies before their buffers go. A device that is lost will not use them either.
Targets::~Targets() {
    try {
        if (last_.value > 0) device_.transfers().wait(last_);
    } catch (const Error& e) {
        spdlog::debug("while leaving the photographs: {}", e.what());
    }
}

void Targets::keepOnGpu(std::span<Photograph> photographs, std::span<const size_t> sizes) {
    const size_t largest = std::min<size_t>(kLargestBuffer, device_.limits().maxStorageBufferRange);
    const Placements places = place(sizes, largest, device_.limits().minStorageBufferOffsetAlignment);
    for (const size_t bytes : places.buffers)
        buffers_.push_back(device_.buffer<uint32_t>(fmt::format("photographs {}", buffers_.size()), bytes / 4));
    for (const Placement& p : places.images) images_.push_back(buffers_[p.buffer].slice(p.offset, p.bytes));
    for (size_t view = 0; view < views_; ++view) {
        packLevels(photographs[view], [&](uint32_t level, Photograph& photograph) {
            const gpu::BufferSlice slice = images_[image(view, level)];
            std::vector<uint32_t> words(slice.bytes / 4);
            depths_[image(view, level)] = depthTargetOf(photograph.depth);
            pack(photograph, words);
            device_.upload(slice, words);
        });
    }
}

void Targets::keepOnHost(std::span<Photograph> photographs, std::span<const size_t> sizes) {
    const Placements places = place(sizes, kLargestBuffer, sizeof(uint32_t));
    for (const size_t bytes : places.buffers) {
        const std::string name = fmt::format("photographs {} of the host", buffers_.size());
        buffers_.push_back(device_.buffer<uint32_t>(name, bytes / 4, gpu::Residence::staging));
    }
    std::vector<std::span<uint32_t>> words;
    for (const Placement& p : places.images) {
        images_.push_back(buffers_[p.buffer].slice(p.offset, p.bytes));
        words.emplace_back(buffers_[p.buffer].mapped<uint32_t>() + p.offset / 4, p.bytes / 4);
    }
    parallelFor(views_, [&](size_t view) {
        packLevels(photographs[view], [&](uint32_t level, Photograph& photograph) {
            depths_[image(view, level)] = depthTargetOf(photograph.depth);
            pack(photograph, words[image(view, level)]);
        });
    });
    hostWords_.assign(words.begin(), words.end());
}

/// Calls pack(level, photograph) per level; the full image is the last, because packing takes its pixels.
void Targets::packLevels(Photograph& photograph, const std::function<void(uint32_t, Photograph&)>& packLevel) const {
    for (uint32_t level = levels_ - 1; level > 0; --level) {
        Photograph smaller = downscaled(photograph, 1 << level);
        packLevel(level, smaller);
    }
    packLevel(0, photograph);
}

void Targets::readback(size_t view, Photograph& photograph) const {
    if (!resident()) return unpack(photograph, hostWords_[view]);
    const size_t words = images_[view].bytes / sizeof(uint32_t);
    unpack(photograph, device_.download<uint32_t>(images_[view], words));
}

uint32_t Targets::stepsAtOnce() const { return resident() ? kResidentAtOnce : static_cast<uint32_t>(slotUsed_.size() / 2); }

gpu::Arrival Targets::fetch(uint32_t step, size_t image) {
    if (resident()) return {};
    auto& copy = copies_[image * slotUsed_.size() + slotOf(step)];
    const VkDeviceSize offset = VkDeviceSize{firstPixel(step)} * sizeof(uint32_t);
    if (!copy) copy.emplace(device_, images_[image], slots_.slice(offset, images_[image].bytes));
    last_ = device_.transfers().submit(*copy, slotUsed_[slotOf(step)]);
    return last_;
}

void Targets::release(uint32_t step, gpu::Ticket ticket) {
    if (!resident()) slotUsed_[slotOf(step)] = ticket;
}

}  // namespace splat
