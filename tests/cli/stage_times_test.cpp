#include "commands/stage_times.h"

#include <gtest/gtest.h>

namespace splat::app {
namespace {

using namespace std::chrono_literals;

TEST(StageTimes, AddUpToTheWholeTime) {
    const StageTimes::Clock::time_point start{};
    StageTimes times(start);
    times.begin("a", start + 140ms);
    times.begin("b", start + 280ms);
    times.begin("nothing", start + 420ms);
    times.begin("c", start + 425ms);
    // Rounded each for itself, 0.14 s five times would be 0.1 s each, of 0.7 s.
    EXPECT_EQ(times.text(start + 700ms), "start 0.1 s, a 0.2 s, b 0.1 s, c 0.3 s; 0.7 s in all");
}

TEST(StageTimes, BelongToTheStageThatRunsUntilTheNext) {
    const StageTimes::Clock::time_point start{};
    StageTimes times(start);
    EXPECT_EQ(times.text(start), "0.0 s in all");
    times.begin("mapping", start);
    EXPECT_EQ(times.text(start + 61s), "mapping 61.0 s; 61.0 s in all");
}

}  // namespace
}  // namespace splat::app
