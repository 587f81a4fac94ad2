#include <splatwright/view/probe.h>

#include <algorithm>

#include "kernels/probe_pixel.h"

namespace splat {

namespace {

constexpr uint32_t kNobody = UINT32_MAX;

/// The world position of a pixel's centre at a depth. orthographic: WorldView has it.
glm::dvec3 pointAt(const Camera& c, double orthographic, glm::uvec2 pixel, double depth) {
    const glm::dvec2 ray = (glm::dvec2(pixel) + 0.5 - glm::dvec2(c.cx, c.cy)) / glm::dvec2(c.fx, c.fy);
    return glm::transpose(c.rotation) * (glm::dvec3(ray * (orthographic > 0 ? orthographic : depth), depth) - c.translation);
}

}  // namespace

PixelProbe::PixelProbe(gpu::Device& device)
    : result_(device.buffer<shared::ProbeResult>("probe result", 1)),
      entries_(device.buffer<shared::ProbeEntry>("probe entries", shared::kProbeEntries)),
      toldResult_(device.buffer<shared::ProbeResult>("probe result readback", 1, gpu::Residence::readback)),
      toldEntries_(device.buffer<shared::ProbeEntry>("probe entries readback", shared::kProbeEntries, gpu::Residence::readback)),
      late_(device, "probe") {}

void PixelProbe::ask(const World& world, const Question& q) {
    const glm::uvec2 size(q.camera.width, q.camera.height);
    SPLAT_CHECK(q.pixel.x < size.x && q.pixel.y < size.y, "pixel {},{} of {}x{}", q.pixel.x, q.pixel.y, size.x, size.y);
    gpu::Commands& c = late_.ask();
    c.stage("probe");
    c.dispatchGroups(kernels::probe_pixel{.picture = q.picture,
                                          .tileRanges = q.frame.tileRanges,
                                          .gaussianFromInstance = Forward::gaussianFromInstance(q.frame),
                                          .projected = q.frame.projected,
                                          .result = result_,
                                          .entries = entries_,
                                          .pixel = q.pixel,
                                          .size = size,
                                          .kShape = q.shape},
                     1);
    c.copy(result_, toldResult_);
    c.copy(entries_, toldEntries_);
    late_.submit();
    generation_ = world.generation();
    camera_ = q.camera;
    orthographic_ = q.orthographic;
    pixel_ = q.pixel;
}

std::optional<Probe> PixelProbe::answer(const World& world) {
    if (!late_.take()) return std::nullopt;
    if (generation_ != world.generation()) return std::nullopt;
    return read(world);
}

Probe PixelProbe::read(const World& world) const {
    const shared::ProbeResult& found = *toldResult_.mapped<shared::ProbeResult>();
    const auto* entries = toldEntries_.mapped<shared::ProbeEntry>();
    Probe probe{.pixel = pixel_,
                .listed = found.listed,
                .transmittance = found.transmittance,
                .expectedDepth = found.expectedDepth,
                .medianDepth = found.medianDepth};
    const auto named = [&](uint32_t gaussian) {
        const auto owner = world.ownerOf(gaussian);
        SPLAT_CHECK(owner, "gaussian {} belongs to no model", gaussian);
        return ProbeHit{.model = owner->first, .index = owner->second, .gaussian = gaussian};
    };
    for (uint32_t i = 0; i < std::min(found.listed, shared::kProbeEntries); ++i) {
        ProbeHit hit = named(entries[i].gaussian);
        hit.depth = entries[i].depth;
        hit.alpha = entries[i].alpha;
        hit.contribution = entries[i].contribution;
        probe.hits.push_back(hit);
    }
    if (found.picked == kNobody) return probe;
    const auto hit = std::ranges::find(probe.hits, found.picked, &ProbeHit::gaussian);
    probe.picked = hit != probe.hits.end() ? *hit : named(found.picked);
    probe.point = pointAt(camera_, orthographic_, pixel_, found.medianDepth);
    return probe;
}

}  // namespace splat
