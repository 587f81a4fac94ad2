#pragma once

#include <map>
#include <mutex>

#include <volk.h>

namespace splat::gpu {

/// Which buffers lie in another buffer's memory (aliased memory). Uses of an alias are ordered as uses of that buffer. Any thread may call.
class Aliases {
public:
    void add(VkBuffer alias, VkBuffer owner);
    void remove(VkBuffer alias);
    /// The buffer whose memory it lies in: itself if it has memory of its own.
    VkBuffer ownerOf(VkBuffer buffer) const;
    bool shareMemory(VkBuffer a, VkBuffer b) const { return ownerOf(a) == ownerOf(b); }

private:
    mutable std::mutex mutex_;
    std::map<VkBuffer, VkBuffer> owners_;
};

}  // namespace splat::gpu
