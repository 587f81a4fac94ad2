#include <splatwright/gpu/aliases.h>

namespace splat::gpu {

void Aliases::add(VkBuffer alias, VkBuffer owner) {
    const VkBuffer first = ownerOf(owner);
    const std::scoped_lock lock(mutex_);
    owners_[alias] = first;
}

void Aliases::remove(VkBuffer alias) {
    const std::scoped_lock lock(mutex_);
    owners_.erase(alias);
}

VkBuffer Aliases::ownerOf(VkBuffer buffer) const {
    const std::scoped_lock lock(mutex_);
    const auto owner = owners_.find(buffer);
    return owner == owners_.end() ? buffer : owner->second;
}

}  // namespace splat::gpu
