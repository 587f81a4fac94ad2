#include <splatwright/view/frame_readback.h>

#include <bit>
#include <cstring>

namespace splat {

FrameReadback::FrameReadback(gpu::Device& device, uint32_t slots, uint32_t modelIds)
    : words_(device.buffer<uint32_t>("frame readback", slots * (Words::counts + modelIds), gpu::Residence::readback)),
      modelIds_(modelIds) {}

void FrameReadback::record(gpu::Commands& c, uint32_t slot, const FrameBuffers& frame, gpu::BufferSlice range,
                           const gpu::Buffer& modelCounts) const {
    constexpr VkDeviceSize kWord = sizeof(uint32_t);
    const auto copy = [&](gpu::BufferSlice from, size_t word) { c.copy(from, words_.slice((firstWord(slot) + word) * kWord, from.bytes)); };
    copy(frame.state, Words::state);
    copy(frame.visibleCount, Words::visible);
    copy(frame.instanceCount, Words::instances);
    copy(range, Words::range);
    copy(modelCounts.slice(0, modelIds_ * kWord), Words::counts);
}

FrameCounts FrameReadback::read(size_t slot) const {
    const uint32_t* words = words_.mapped<uint32_t>() + firstWord(slot);
    FrameCounts counts{.visible = words[Words::visible],
                       .instances = words[Words::instances],
                       .low = std::bit_cast<float>(words[Words::range]),
                       .high = std::bit_cast<float>(words[Words::range + 1]),
                       .hasRange = words[Words::range] <= words[Words::range + 1],
                       .modelCounts = {words + Words::counts, modelIds_}};
    std::memcpy(&counts.state, words + Words::state, sizeof(counts.state));
    return counts;
}

}  // namespace splat
