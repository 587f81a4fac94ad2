#pragma once

#include <splatwright/primitives/scan.h>

namespace splat::primitives {

/// Number of groups of a scan or a compaction in two passes: at most the number of tiles, and at least one, because the last group writes the total.
uint32_t scanGroups(const Count& count);

/// Number of groups of one in one pass: one per tile of `tile` values, and at least one.
uint32_t lookBackGroups(uint32_t atMost, uint32_t tile);

/// Words of its tiles' states, which must be 0 before the dispatch.
uint64_t lookBackWords(uint32_t atMost, uint32_t tile);

/// Whether the scratch has so many words of states.
bool hasTileStates(const ScanScratch& scratch, uint64_t words);

/// Clears these words and returns them.
gpu::BufferSlice clearTileStates(gpu::Commands& commands, const ScanScratch& scratch, uint64_t words);

}  // namespace splat::primitives
