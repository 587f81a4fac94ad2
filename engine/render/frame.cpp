#include <splatwright/render/frame.h>

#include <algorithm>
#include <bit>

#include <splatwright/primitives/scan_grid.h>
#include <splatwright/scene/cameras/camera_limits.h>

namespace splat {

namespace {

using shared::kTilePixels;

size_t keyBytes(primitives::KeyStorage storage) { return storage == primitives::KeyStorage::u16 ? sizeof(uint16_t) : sizeof(uint32_t); }

VkDeviceSize tileSortBytes(const FrameCapacity& c, primitives::KeyStorage keys) {
    return gpu::Arena::bytes<std::byte>(keyBytes(keys) * c.instances) + gpu::Arena::bytes<uint32_t>(c.instances);
}

size_t emissionGroups(const FrameCapacity& c) { return size_t{c.instances} / shared::kBlock + 1; }

bool endsInPing(const primitives::BitWindow& window) { return primitives::resultSide(window) == primitives::Side::a; }

uint64_t stateWords(const FrameCapacity& c) { return primitives::lookBackWords(c.gaussians, shared::kScanTile); }

VkDeviceSize zeroedBytes(const FrameCapacity& c) {
    return gpu::Arena::bytes<glm::uvec2>(c.tiles()) + gpu::Arena::bytes<uint32_t>(c.tiles()) +
           2 * gpu::Arena::bytes<uint32_t>(stateWords(c)) + 2 * gpu::Arena::bytes<uint32_t>(shared::kSortCounters);
}

}  // namespace

uint32_t FrameCapacity::withMargin(uint32_t needed) {
    constexpr uint32_t kMost = 1'000'000;
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{needed} + std::min(needed / 4, kMost), UINT32_MAX));
}

uint32_t FrameCapacity::pixels() const {
    checkPixels("the images to draw", width, height);
    return width * height;
}

FrameBuffers::FrameBuffers(gpu::Device& d, const FrameCapacity& c)
    : capacity(c),
      tileKeys(c.tiles() <= UINT16_MAX && d.has(gpu::Feature::int16Storage) ? primitives::KeyStorage::u16 : primitives::KeyStorage::u32),
      // Bits of a tile id; the number of tiles itself stands for "no tile" and sorts last.
      tileWindow{0, static_cast<uint32_t>(std::bit_width(c.tiles()))},
      ping(d.buffer<std::byte>("ping memory of sorts", std::max(tileSortBytes(c, tileKeys), endsInPing(tileWindow) ? 0 : c.transientBytes),
                               gpu::Residence::arena)),
      pong(d.buffer<std::byte>("pong memory of sorts",
                               std::max({tileSortBytes(c, tileKeys),
                                         5 * gpu::Arena::bytes<uint32_t>(c.gaussians) + gpu::Arena::bytes<uint32_t>(emissionGroups(c)),
                                         endsInPing(tileWindow) ? c.transientBytes : 0}),
                               gpu::Residence::arena)),
      zeroed(d.buffer<std::byte>("zeroed memory of a frame", zeroedBytes(c), gpu::Residence::arena)),
      state(d.buffer<shared::FrameState>("frame state", 1)),
      parameters(d.buffer<shared::FrameParameters>("frame parameters", 1)),
      activeCount(d.buffer<uint32_t>("active count", 1)),
      visibleCount(d.buffer<uint32_t>("visible count", 1)),
      instanceCount(d.buffer<uint32_t>("instance count", 1)),
      bucketCount(d.buffer<uint32_t>("bucket count", 1)),
      perGaussian(d.buffer<shared::DispatchArguments>("groups per gaussian", 1)),
      perVisible(d.buffer<shared::DispatchArguments>("groups per visible", 1)),
      perInstance(d.buffer<shared::DispatchArguments>("groups per instance", 1)),
      projected(d.buffer<shared::Projected>("projected gaussians", c.gaussians)),
      tileCounts(d.buffer<uint32_t>("tiles per gaussian", c.gaussians)),
      splatValues(d.buffer<float>("carried values of splats", std::max<size_t>(size_t{c.carriedNumbers} * c.gaussians, 1))),
      gaussianFromVisible(d.buffer<uint32_t>("gaussian from visible", c.gaussians)),
      tileOrder(d.buffer<uint32_t>("tiles by length", c.tiles())),
      colours(d.buffer<glm::vec3>("colours", c.pixels())),
      transmittances(d.buffer<float>("transmittances", c.pixels())),
      lastContributors(d.buffer<uint32_t>("last contributors", c.pixels())),
      carried(d.buffer<float>("carried values of pixels", std::max<size_t>(size_t{c.carriedNumbers} * c.pixels(), 1))),
      buckets(d.buffer<shared::Bucket>("buckets", c.buckets)),
      checkpoints(d.buffer<glm::vec4>("checkpoints", size_t{c.buckets} * kTilePixels)),
      sortScratch(primitives::RadixSort::scratch(d, "frame sort", std::max(c.gaussians, c.instances))) {
    SPLAT_CHECK(!c.backward || c.gaussians <= FrameCapacity::kMostTrained, "{} gaussians", c.gaussians);
    gpu::Arena first(ping), second(pong), early(pong), zeros(zeroed);
    const size_t keys = keyBytes(tileKeys) * c.instances;
    tileKeysA = first.take<std::byte>("tile keys ping", keys);
    instancesA = first.take<uint32_t>("gaussians by tile ping", c.instances);
    tileKeysB = second.take<std::byte>("tile keys pong", keys);
    instancesB = second.take<uint32_t>("gaussians by tile pong", c.instances);
    depthKeysA = early.take<uint32_t>("depth keys ping", c.gaussians);
    depthKeysB = early.take<uint32_t>("depth keys pong", c.gaussians);
    gaussiansA = early.take<uint32_t>("gaussians by depth ping", c.gaussians);
    gaussiansB = early.take<uint32_t>("gaussians by depth pong", c.gaussians);
    firstInstances = early.take<uint32_t>("first instance from rank", c.gaussians);
    groupRanks = early.take<uint32_t>("rank from group of instances", emissionGroups(c));
    tileRanges = zeros.take<glm::uvec2>("tile ranges", c.tiles());
    tileLast = zeros.take<uint32_t>("last contributor per tile", c.tiles());
    visibleStates = zeros.take<uint32_t>("states of the visible", stateWords(c));
    instanceStates = zeros.take<uint32_t>("states of instances", stateWords(c));
    depthCounters = zeros.take<uint32_t>("counters of the depth sort", shared::kSortCounters);
    tileCounters = zeros.take<uint32_t>("counters of the tile sort", shared::kSortCounters);
    d.run("clear frame state", [&](gpu::Commands& commands) { commands.fill(state, 0); });
}

gpu::Arena FrameBuffers::transient() const { return gpu::Arena(endsInPing(tileWindow) ? pong : ping); }

}  // namespace splat
