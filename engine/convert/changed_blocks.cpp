#include <splatwright/convert/changed_blocks.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/selected.h>

namespace splat {
namespace {

/// A block's splats, changed.
Gaussians changed(const Gaussians& splats, size_t first, size_t end, const std::vector<ReachingChange>& changes) {
    Gaussians part = slice(splats, first, end - first);
    for (const ReachingChange& change : changes) change.change(part, {});
    return part;
}

std::vector<size_t> countsOf(const SplatBlocks& from, const std::vector<ReachingChange>& changes) {
    const bool drops = std::ranges::any_of(changes, [](const ReachingChange& change) { return change.reach == Reach::splats; });
    std::vector<size_t> counts(from.blocks());
    parallelFor(counts.size(), [&](size_t block) {
        counts[block] = from.start(block + 1) - from.start(block);
        if (!drops) return;
        from.visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            counts[block] = changed(splats, first, end, changes).count();
        });
    });
    return counts;
}

class ChangedBlocks : public SplatBlocks {
public:
    ChangedBlocks(std::unique_ptr<SplatBlocks> from, std::vector<ReachingChange> changes)
        : SplatBlocks(formOf(changed(from->form(), 0, 0, changes)), countsOf(*from, changes)),
          from_(std::move(from)),
          changes_(std::move(changes)) {}

    void visit(size_t block, const Body& body) const override {
        from_->visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            const Gaussians part = changed(splats, first, end, changes_);
            body(part, 0, part.count());
        });
    }

private:
    std::unique_ptr<SplatBlocks> from_;
    std::vector<ReachingChange> changes_;
};

}  // namespace

std::unique_ptr<SplatBlocks> changedBlocks(std::unique_ptr<SplatBlocks> from, std::vector<ReachingChange> changes) {
    for (const ReachingChange& change : changes) SPLAT_CHECK(change.reach != Reach::model, "a change that needs all splats");
    return changes.empty() ? std::move(from) : std::make_unique<ChangedBlocks>(std::move(from), std::move(changes));
}

}  // namespace splat
