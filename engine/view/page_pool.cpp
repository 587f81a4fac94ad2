#include <splatwright/view/page_pool.h>

#include <algorithm>

namespace splat {

PagePool::PagePool(uint32_t pages) : runs_{{0, pages}}, free_(pages) {}

std::optional<std::vector<PageRun>> PagePool::take(uint32_t pages) {
    if (pages > free_) return std::nullopt;
    free_ -= pages;
    std::vector<PageRun> taken;
    while (pages > 0) {
        // The smallest that is long enough, or else the longest.
        auto best = runs_.begin();
        for (auto run = runs_.begin(); run != runs_.end(); ++run) {
            const bool fits = run->count >= pages, fitted = best->count >= pages;
            if (fits ? !fitted || run->count < best->count : !fitted && run->count > best->count) best = run;
        }
        const uint32_t count = std::min(pages, best->count);
        taken.push_back({best->first, count});
        pages -= count;
        best->first += count;
        best->count -= count;
        if (best->count == 0) runs_.erase(best);
    }
    return taken;
}

void PagePool::giveBack(const std::vector<PageRun>& runs) {
    for (const PageRun& run : runs) {
        free_ += run.count;
        const auto next = std::ranges::lower_bound(runs_, run.first, {}, &PageRun::first);
        auto at = runs_.insert(next, run);
        if (at + 1 != runs_.end() && at->first + at->count == (at + 1)->first) {
            at->count += (at + 1)->count;
            runs_.erase(at + 1);
        }
        if (at != runs_.begin() && (at - 1)->first + (at - 1)->count == at->first) {
            (at - 1)->count += at->count;
            runs_.erase(at);
        }
    }
}

}  // namespace splat
