#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace splat {

/// Pages [first, first + count).
struct PageRun {
    uint32_t first = 0, count = 0;
};

/// Gives out pages in few runs, and takes them back.
class PagePool {
public:
    explicit PagePool(uint32_t pages);

    uint32_t free() const { return free_; }
    /// So many pages, in runs as long as possible; nothing if fewer are free.
    std::optional<std::vector<PageRun>> take(uint32_t pages);
    void giveBack(const std::vector<PageRun>& runs);

private:
    std::vector<PageRun> runs_;  // free ones, in order and never side by side
    uint32_t free_;
};

}  // namespace splat
