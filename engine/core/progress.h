#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace splat {

/// How far some work has come.
struct ProgressState {
    std::string label;
    uint64_t done = 0;
    uint64_t total = 0;
    uint64_t first = 0;       ///< done when the rate's clock started
    double seconds = 0;       ///< since the work began, or went on
    double firstSeconds = 0;  ///< of those, before the rate's clock started
    std::string details;      ///< "loss 0.0312  PSNR 27.31"
};

/// "training [=====>    ] 1200/3000  loss 0.0312  1:05 left", at most so many columns wide; the bar makes room for the numbers.
std::string liveLine(const ProgressState& state, size_t columns);
/// The same without the bar, for a file or a pipe.
std::string plainLine(const ProgressState& state);

/// Shows progress: one line that is drawn over on a terminal, a plain line every few seconds and at the end elsewhere, nothing when quiet.
/// No two plain lines show the same amount done.
class Progress {
public:
    enum class Style { live, plain, silent };

    /// What standard error can show.
    static Style styleOfStandardError();

    /// Lines are at least an interval apart, except the first and the last; none given: the style's own.
    Progress(std::ostream& out, Style style, std::string label, uint64_t total, std::optional<std::chrono::milliseconds> interval = {});
    /// Leaves the live line standing, whatever ended the work.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Starts the rate's clock: what is done so far, and the time it took, do not count for the time left.
    void startAt(uint64_t done);
    /// Shows at once what the work is busy with before its next update, for example "compiling kernels".
    void announce(std::string what);
    /// Whether an update would show: details need not be put together otherwise.
    bool due() const;
    void update(uint64_t done, std::string details = {});
    /// The last line; later updates are ignored.
    void finish();

private:
    using Clock = std::chrono::steady_clock;
    double seconds() const;
    bool repeats(bool last) const;
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
