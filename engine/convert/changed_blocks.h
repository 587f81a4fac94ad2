#pragma once

#include <memory>
#include <vector>

#include <splatwright/convert/operation.h>
#include <splatwright/scene/formats/splat_blocks.h>

namespace splat {

/// A change, and what its row says about it.
struct ReachingChange {
    Change change;
    Reach reach = Reach::model;
};

/// Blocks after changes, none of which reaches the model. Those that drop splats are made here once for every block, to count what is left.
std::unique_ptr<SplatBlocks> changedBlocks(std::unique_ptr<SplatBlocks> from, std::vector<ReachingChange> changes);

}  // namespace splat
