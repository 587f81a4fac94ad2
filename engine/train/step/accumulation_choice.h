#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <splatwright/render/backward.h>

namespace splat {

struct TrainSettings;

/// A row of the accumulation table, with BackwardJob::balanceThreshold if the row is balanced.
struct AccumulationMethod {
    const AccumulationRow* row = nullptr;
    uint32_t balanceThreshold = 0;  ///< 0 if the row is not balanced

    bool operator==(const AccumulationMethod&) const = default;
};

/// "subtile", or "subgroup from 3/8 of the lanes".
std::string nameOf(const AccumulationMethod& method);

/// The method that training begins with.
AccumulationMethod firstMethod(const TrainSettings& settings);

/// Methods that `accumulate=auto` compares, firstMethod() first; empty with other values. They need the same buffers, so a comparison allocates
/// nothing. Baselines are left out: one backward pass by `cas` may take seconds.
std::vector<AccumulationMethod> comparedMethods(const TrainSettings& settings);

/// Result of a comparison of methods. Times are GPU milliseconds of the backward pass, medians over the compared steps.
struct AccumulationDecision {
    uint32_t step = 0;  ///< steps done
    AccumulationMethod chosen;
    double milliseconds = 0;
    AccumulationMethod next;  ///< the fastest of the others
    double nextMilliseconds = 0;
    bool changed = false;  ///< another method was in use before
};

/// Decides which of several methods to use, from times of all of them on the same steps. Each comparison takes several rounds: the owner asks
/// which methods to time after a step, and tells the times when the GPU is done with it.
class AccumulationChoice {
public:
    static constexpr uint32_t kEvery = 2000;       ///< steps from one comparison to the next
    static constexpr size_t kRounds = 5;           ///< of a comparison; odd, for the median
    static constexpr size_t kFirstRounds = 2;      ///< rounds that all methods take part in: one may be disturbed by other work
    static constexpr double kClearlySlower = 1.5;  ///< times slower than the fastest: leaves this comparison
    static constexpr uint32_t kMissed = 7;         ///< later comparisons that a method misses that left one
    static constexpr double kWorthAChange = 1.03;  ///< times faster than the method in use; less may be noise

    /// At least one method; the first is used until a comparison has chosen.
    explicit AccumulationChoice(const std::vector<AccumulationMethod>& methods);

    const AccumulationMethod& chosen() const { return candidates_[chosen_].method; }
    /// Methods to time after a step, counted from 0; mostly none. Until timed() or forget(), further calls return none.
    std::vector<AccumulationMethod> toTime(uint32_t step);
    /// Milliseconds of the methods that toTime() returned, in that order, `step` steps being done. Returns the result if the comparison is
    /// complete.
    std::optional<AccumulationDecision> timed(uint32_t step, std::span<const double> milliseconds);
    /// The times of the methods that toTime() returned are lost: the round is repeated.
    void forget() { round_.clear(); }

private:
    struct Candidate {
        AccumulationMethod method;
        std::vector<double> ratios = {};  ///< of this comparison: time by that of the method in use on the same step
        bool takesPart = false;           ///< in this comparison
        uint32_t misses = 0;              ///< comparisons, this one included
    };

    void begin(uint32_t step);
    void dropSlow();
    AccumulationDecision decide(uint32_t step);
    size_t fastestBut(size_t other) const;
    double score(size_t candidate) const;

    std::vector<Candidate> candidates_;
    size_t chosen_ = 0;
    uint32_t due_ = 0;       ///< step of the next comparison
    size_t roundsDone_ = 0;  ///< of this comparison
    bool comparing_ = false;
    std::vector<size_t> round_;  ///< candidates that are being timed, in order; empty: none
    std::vector<double> times_;  ///< milliseconds of the method in use, per round
};

}  // namespace splat
