#include "commands/stage_times.h"

#include <cmath>

#include <fmt/format.h>

namespace splat::app {

std::string StageTimes::text(Clock::time_point now) const {
    // Times since the start are rounded, not those of the stages, so that the stages' add up.
    const auto tenths = [&](Clock::time_point time) {
        return std::llround(10 * std::chrono::duration<double>(time - begins_.front().second).count());
    };
    std::string text;
    for (size_t i = 0; i < begins_.size(); ++i) {
        const auto& [name, begin] = begins_[i];
        const auto took = tenths(i + 1 < begins_.size() ? begins_[i + 1].second : now) - tenths(begin);
        if (took > 0) text += fmt::format("{} {}.{} s, ", name, took / 10, took % 10);
    }
    if (text.ends_with(", ")) text.replace(text.size() - 2, 2, "; ");
    return text + fmt::format("{}.{} s in all", tenths(now) / 10, tenths(now) % 10);
}

}  // namespace splat::app
