#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include <splatwright/convert/operation.h>

namespace splat {

/// How a scene is divided and thinned.
struct DetailOptions {
    uint32_t nodeSplats = 16384;  ///< at most, of the finest level
    uint32_t ratio = 4;           ///< of splats from one level to the next
    uint32_t levels = 5;          ///< with the finest one
};

/// Splats [first, first + count) of a list.
struct ListRange {
    size_t first = 0, count = 0;
};

/// Cuts a list of Morton codes, ascending, into cells of the octree with at most so many splats each; small cells that follow each other in one
/// parent are put together. More splats than that at one place are cut anyhow.
std::vector<ListRange> octreeCells(std::span<const uint64_t> codes, uint32_t most);

/// What a level holds, for a message.
struct DetailSummary {
    size_t nodes = 0;
    std::vector<uint64_t> counts;  ///< by level
    uint64_t bytes = 0;
};

/// Builds levels of detail of usable splats and writes a streamed SOG: octree cells, in which neighbours are merged on the device, with errors
/// measured in pictures. progress(done, total) counts parts of the scene. Throws InputError and Error with the path.
DetailSummary writeDetailLevels(const std::filesystem::path& path, const Gaussians& splats, const DetailOptions& options,
                                const LazyDevice& device, const std::function<void(size_t, size_t)>& progress);

}  // namespace splat
