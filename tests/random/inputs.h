#pragma once

#include <filesystem>
#include <vector>

namespace splat::test {

/// Files to open, good and broken.
struct Inputs {
    std::vector<std::filesystem::path> splats, broken, others;
    std::filesystem::path dataset;

    /// Writes them into the folder.
    explicit Inputs(const std::filesystem::path& folder);
};

}  // namespace splat::test
