#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace splat {

/// How far some work has come.
struct ProgressState {
    std::string label;
    uint64_t done = 0;
    uint64_t total = 0;
    uint64_t first = 0;   ///< done before the clock started
    double seconds = 0;   ///< since the work began, or went on
    std::string details;  ///< "loss 0.0312  PSNR 27.31"
};

/// "training [=====>    ] 1200/3000  loss 0.0312  1:05 left", at most so many columns wide; the bar makes room for the numbers.
std::string liveLine(const ProgressState& state, size_t columns);
/// The same without the bar, for a file or a pipe.
std::string plainLine(const ProgressState& state);

/// Shows progress: one line that is drawn over on a terminal, a plain line every few seconds and at the end elsewhere, nothing when quiet.
class Progress {
public:
    enum class Style { live, plain, silent };

    /// What standard error can show.
    static Style styleOfStandardError();

    Progress(std::ostream& out, Style style, std::string label, uint64_t total);
    /// Leaves the live line standing, whatever ended the work.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Says that so much had been done when the work began, in an earlier run.
    void startAt(uint64_t done);
    /// Whether an update would show: details need not be put together otherwise.
    bool due() const;
    void update(uint64_t done, std::string details = {});
    /// The last line; later updates are ignored.
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    void show(bool last);

    std::ostream& out_;
    Style style_;
    ProgressState state_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point shown_{};
    bool finished_ = false;
    bool lineOpen_ = false;
};

}  // namespace splat
