#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "core/names.h"
#include "scene/gaussians.h"

namespace splat::app {

/// A file that was read, or why it could not be.
struct LoadedSplats {
    std::filesystem::path path;
    Gaussians gaussians;
    std::string problem;  ///< empty: none
};

/// Reads splat files on other threads, so that the window goes on.
class Loader {
public:
    void open(const std::filesystem::path& path);
    /// The oldest file, once it is read: files arrive in the order in which they were opened.
    std::optional<LoadedSplats> poll();
    bool busy() const { return !reading_.empty(); }
    /// What is being read.
    std::string waitingFor() const { return busy() ? escapedName(reading_.front().path.filename().string()) : ""; }

private:
    struct Reading {
        std::filesystem::path path;
        std::future<LoadedSplats> result;
    };
    std::vector<Reading> reading_;
};

}  // namespace splat::app
