#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <splatwright/scene/formats/sog/streamed_sog.h>
#include <splatwright/view/detail_tables.h>

namespace splat {

/// A level of a node, read from disk.
struct LoadedLevel {
    DetailLevel of;
    Gaussians splats;
};

/// These levels of a file's splats, which they must lie in.
std::vector<LoadedLevel> levelsIn(const Gaussians& file, const StreamedSog& scene, std::span<const DetailLevel> levels);

/// Reads levels of nodes on a thread of its own: those that were asked for last, file by file.
class DetailLoader {
public:
    /// The scene must outlive the loader.
    explicit DetailLoader(const StreamedSog& scene);
    ~DetailLoader();
    DetailLoader(const DetailLoader&) = delete;

    /// Replaces what is asked for; the first ones are the most urgent. What is being read stays.
    void ask(std::vector<DetailLevel> levels);
    /// What has been read since, at most so many splats unless one level alone has more.
    std::vector<LoadedLevel> take(size_t splats);
    /// Whether nothing is asked for, being read or waiting to be taken.
    bool idle() const;
    /// Why a file could not be read, once for each; empty: none.
    std::string takeProblem();

private:
    static constexpr size_t kMostWaiting = size_t{1} << 20U;  // splats that are read ahead

    void run();
    std::vector<DetailLevel> next(std::unique_lock<std::mutex>& lock);

    const StreamedSog& scene_;
    mutable std::mutex lock_;
    std::condition_variable changed_;
    std::vector<DetailLevel> asked_, reading_;
    std::vector<bool> broken_;  // by file
    std::vector<LoadedLevel> loaded_;
    size_t waiting_ = 0;  // splats of loaded_
    std::string problem_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace splat
