#pragma once

#include <map>
#include <string>
#include <utility>

#include <splatwright/view/render_modes.h>

namespace splat::app {

/// Ranges of values that are locked, per render mode: metres of depth are no range for opacities. Modes without a lock share the settings' range.
class ModeRanges {
public:
    struct Range {
        bool automatic = true;
        double low = 0, high = 1;
    };
    /// All ranges, to be kept in a file.
    struct Locks {
        std::map<std::string, Range, std::less<>> modes;
        Range shared;  ///< of all other modes
    };
    Locks locks(const RenderSettings& settings) const;
    /// Replaces all; the settings have a range of their mode already.
    void restore(Locks locks, const RenderSettings& settings);

    /// Keeps this range in the mode of the settings, and gives it back.
    void lock(RenderSettings& settings, std::pair<double, double> range);
    /// The range follows the picture again.
    void unlock(RenderSettings& settings);
    /// After the settings' mode has changed: its range is the mode's.
    void follow(RenderSettings& settings);

private:
    static Range rangeOf(const RenderSettings& settings) { return {settings.autoRange, settings.rangeLow, settings.rangeHigh}; }
    static void apply(const Range& range, RenderSettings& settings);

    std::string mode_ = RenderSettings().picture;
    std::map<std::string, Range, std::less<>> locked_;
    Range shared_;  ///< of modes without a lock, while one with a lock is shown
};

}  // namespace splat::app
