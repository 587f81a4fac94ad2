#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace splat {

/// Progress of a task.
struct ProgressState {
    std::string label;
    uint64_t done = 0;
    uint64_t total = 0;
    uint64_t first = 0;       ///< `done` when rate measurement started
    double seconds = 0;       ///< since the task started or resumed
    double firstSeconds = 0;  ///< part of `seconds` before rate measurement started
    std::string details;      ///< "loss 0.0312  PSNR 27.31"
};

/// "training [=====>    ] 1200/3000  loss 0.0312  1:05 left", at most `columns` wide; the bar shrinks first.
std::string liveLine(const ProgressState& state, size_t columns);
/// The line without the bar, for a file or a pipe.
std::string plainLine(const ProgressState& state);

/// Shows progress: one live line on a terminal, otherwise a plain line every few seconds and at the end, nothing if quiet. No two plain lines
/// show the same count.
class Progress {
public:
    enum class Style { live, plain, silent };

    /// The style that suits standard error.
    static Style styleOfStandardError();

    /// interval: minimum time between lines, except the first and the last; empty: the style's default.
    Progress(std::ostream& out, Style style, std::string label, uint64_t total, std::optional<std::chrono::milliseconds> interval = {});
    /// Leaves the live line on the screen.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Starts rate measurement: earlier work and time do not count towards the estimate of the time left.
    void startAt(uint64_t done);
    /// Shows at once what the task does before its next update, for example "compiling kernels".
    void announce(std::string what);
    /// Whether an update would be shown; if not, details need not be formatted.
    bool due() const;
    void update(uint64_t done, std::string details = {});
    /// Shows the last line; later updates are ignored.
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    double seconds() const;
    void show(bool last);

    std::ostream& out_;
    Style style_;
    Clock::duration interval_;
    ProgressState state_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point shown_{};
    std::optional<uint64_t> shownDone_;
    bool finished_ = false;
    bool lineOpen_ = false;
};

}  // namespace splat
