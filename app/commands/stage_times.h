#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace splat::app {

/// How long the stages of some work took, which follow each other without a gap.
class StageTimes {
public:
    using Clock = std::chrono::steady_clock;

    /// What comes before the first stage is called "start".
    explicit StageTimes(Clock::time_point now = Clock::now()) : begins_{{"start", now}} {}

    void begin(std::string name, Clock::time_point now = Clock::now()) { begins_.emplace_back(std::move(name), now); }
    /// "start 0.2 s, features 12.3 s, matches 40.1 s; 52.6 s in all": to a tenth, and these add up. Stages that took less are left out.
    std::string text(Clock::time_point now = Clock::now()) const;

private:
    std::vector<std::pair<std::string, Clock::time_point>> begins_;
};

}  // namespace splat::app
