#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace splat {

/// The members of groups, from the group of each, in their order.
class GroupMembers {
public:
    GroupMembers(std::span<const uint32_t> groups, size_t count) : starts_(count + 1), members_(groups.size()) {
        for (const uint32_t group : groups) ++starts_[group + 1];
        std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
        std::vector<size_t> next = starts_;
        for (uint32_t i = 0; i < members_.size(); ++i) members_[next[groups[i]]++] = i;
    }

    std::span<uint32_t> operator[](size_t group) {
        return std::span(members_).subspan(starts_[group], starts_[group + 1] - starts_[group]);
    }
    std::span<const uint32_t> operator[](size_t group) const {
        return std::span(members_).subspan(starts_[group], starts_[group + 1] - starts_[group]);
    }

private:
    std::vector<size_t> starts_;
    std::vector<uint32_t> members_;
};

}  // namespace splat
