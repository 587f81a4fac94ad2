#pragma once

#include <atomic>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/prepare/prepare.h>
#include <splatwright/scene/gaussians/extent.h>

namespace splat::app {

/// A stage of a preparation.
struct PreparingStage {
    std::string name;
    uint64_t done = 0, total = 0;  ///< items; total 0: unknown
    double seconds = 0;            ///< that it has taken

    /// Seconds that it will take at its pace so far; nothing before a tenth is done.
    std::optional<double> secondsLeft() const;
};

/// A preparation of photographs or a video on a thread of its own.
class Preparing {
public:
    explicit Preparing(prepare::Settings settings);
    /// Ends the running program; finished stages are kept.
    ~Preparing();
    Preparing(const Preparing&) = delete;
    Preparing& operator=(const Preparing&) = delete;

    /// Takes over what the thread has done. Returns whether there is something new to show.
    bool update();
    /// Ends the running program soon; finished stages are kept.
    void stop() { stops_ = true; }
    // As of the last update().
    const std::vector<PreparingStage>& stages() const { return shown_.stages; }
    /// What is to know besides, such as photographs that are left out.
    const std::vector<std::string>& notes() const { return shown_.notes; }
    const prepare::SparseScene& scene() const { return shown_.scene; }
    bool ended() const { return shown_.ended; }
    /// Why it failed; empty: it did not.
    const std::string& problem() const { return shown_.problem; }
    /// How many photographs are registered; nothing before the end.
    const std::optional<prepare::Report>& report() const { return shown_.report; }

    const prepare::Settings& settings() const { return settings_; }
    /// Around the cameras: their mean position is the origin, and the farthest is at distance 1.
    static Extent extent() { return {.centre = glm::dvec3(0), .radius = 1.2}; }
    /// Whether the first cameras have just come: it is time to look at them.
    bool takeArrival();

private:
    struct State {
        std::vector<PreparingStage> stages;
        std::vector<std::string> notes;
        prepare::SparseScene scene;
        std::optional<prepare::Report> report;
        std::string problem;
        bool ended = false;
        uint64_t changes = 0;
    };
    class Watch;

    void run();

    prepare::Settings settings_;
    std::atomic<bool> stops_ = false;
    std::mutex mutex_;
    State state_;  ///< the thread's, under the mutex
    State shown_;
    bool arrived_ = false;
    std::future<void> thread_;
};

}  // namespace splat::app
