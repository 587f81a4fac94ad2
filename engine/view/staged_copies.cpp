#include <splatwright/view/staged_copies.h>

#include <algorithm>

namespace splat {

void StagedCopies::record(gpu::Device& device, gpu::Commands& c, gpu::Buffer& staging) const {
    constexpr VkDeviceSize kWord = sizeof(uint32_t);
    if (words_.empty()) return;
    if (words_.size() * kWord > staging.bytes()) {
        staging = {};  // first, so that both never exist at once
        staging = device.buffer<uint32_t>("staged copies", words_.size(), gpu::Residence::staging);
    }
    std::ranges::copy(words_, staging.mapped<uint32_t>());
    for (const Copy& copy : copies_) c.copy(staging.slice(copy.first * kWord, copy.words * kWord), copy.to);
}

}  // namespace splat
