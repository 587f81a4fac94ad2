#include <splatwright/gpu/download.h>

#include <algorithm>
#include <vector>

#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/device.h>

namespace splat::gpu {

namespace {

constexpr size_t kStagingBytes = size_t{64} << 20u;  // bounds the host memory of a large download

size_t bytesOf(std::span<const Download> parts) {
    size_t bytes = 0;
    for (const Download& part : parts) {
        SPLAT_CHECK(part.bytes.size() <= part.from.bytes, "download of {} bytes from {}", part.bytes.size(), part.from.bytes);
        bytes += part.bytes.size();
    }
    return bytes;
}

/// Removes `bytes` from the front of the parts and returns them; the last one may be a piece.
std::vector<Download> takeBytes(std::vector<Download>& parts, size_t bytes) {
    std::vector<Download> taken;
    auto part = parts.begin();
    for (; part != parts.end() && bytes > 0; ++part) {
        const size_t size = std::min(part->bytes.size(), bytes);
        taken.push_back({{part->from.buffer, part->from.offset, size, part->from.stride}, part->bytes.first(size)});
        bytes -= size;
        if (size == part->bytes.size()) continue;
        part->from.offset += size;
        part->bytes = part->bytes.subspan(size);
        break;
    }
    parts.erase(parts.begin(), part);
    return taken;
}

}  // namespace

void download(Device& device, std::span<const Download> parts) {
    size_t left = bytesOf(parts);
    if (left == 0) return;
    const Buffer staging(device, "download staging", std::min(left, kStagingBytes), 0, Residence::readback);
    std::vector<Download> waiting(parts.begin(), parts.end());
    for (; left > 0; left -= std::min(left, kStagingBytes)) {
        const std::vector<Download> now = takeBytes(waiting, kStagingBytes);
        device.run("download", [&](Commands& c) {
            VkDeviceSize at = 0;
            for (const Download& part : now) {
                c.copy(part.from, staging.slice(at, part.from.bytes));
                at += part.from.bytes;
            }
        });
        const std::byte* from = staging.mapped<std::byte>();
        for (const Download& part : now) {
            std::copy_n(from, part.bytes.size(), part.bytes.begin());
            from += part.bytes.size();
        }
    }
}

}  // namespace splat::gpu
