#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/train/watch/health_sampler.h>

namespace splat {

/// Tells from samples of a training whether it has collapsed. Decisions follow from the samples alone, so they are the same in every run that
/// has the same samples, and a log.jsonl can be judged afterwards. engine/train/README.md has the limits and why they are as they are.
class CollapseDetector {
public:
    /// pruneOpacity: of the settings; limits of opacities are relative to it.
    explicit CollapseDetector(double pruneOpacity) : pruneOpacity_(pruneOpacity) {}

    /// What was seen if the training has collapsed: figures and their limits. Call it no more after that.
    std::optional<std::string> add(const HealthSample& sample);
    /// Whether nothing about the last sample was suspicious.
    bool healthy() const { return suspicious_ == Suspicions{} && flat_.empty(); }
    /// Forgets what was reached: the next samples are of another image size, or of other settings.
    void restart();

    /// State for a resumed run.
    nlohmann::ordered_json state() const;
    /// Throws nlohmann's exceptions if the state is not one.
    void load(const nlohmann::ordered_json& state);

private:
    /// Numbers of consecutive samples up to the last one.
    struct Suspicions {
        uint32_t worse = 0;   ///< errors far above the best
        uint32_t fading = 0;  ///< opacities fade together, and errors rise
        uint32_t large = 0;   ///< splats grow to the scene's size, and errors rise

        bool operator==(const Suspicions&) const = default;
    };

    bool rises(double error) const;
    void note(const HealthSample& sample);
    std::string seen(const HealthSample& sample) const;

    double pruneOpacity_;
    double best_ = std::numeric_limits<double>::infinity();  ///< least relative error of a sample
    std::vector<double> flat_;  ///< errors of the last samples that are those of flat pictures, at most as many as decide
    Suspicions suspicious_;
};

}  // namespace splat
