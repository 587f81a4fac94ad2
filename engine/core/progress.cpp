#include <splatwright/core/progress.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include <splatwright/core/platform/console.h>

namespace splat {

namespace {

constexpr size_t kBar = 24;                                     // columns
constexpr auto kLiveInterval = std::chrono::milliseconds(100);  // frequent enough to look live, rare enough to cost nothing
constexpr auto kPlainInterval = std::chrono::seconds(10);       // a log of an hour stays readable

std::string clockText(double seconds) {
    const auto whole = static_cast<uint64_t>(std::lround(std::min(seconds, 1e9)));
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// The estimated time left; nothing while it is unknown.
std::string timeText(const ProgressState& s) {
    if (s.done >= s.total) return "  in " + clockText(s.seconds);
    if (s.done <= s.first) return "";
    const double each = (s.seconds - s.firstSeconds) / static_cast<double>(s.done - s.first);
    return fmt::format("  {} left", clockText(each * static_cast<double>(s.total - s.done)));
}

/// "[==>   ] " in this number of columns, or nothing if there is too little space.
std::string bar(const ProgressState& s, size_t columns) {
    constexpr size_t kAround = 3;  // brackets and a blank
    if (columns < kAround + 4) return "";
    const size_t length = std::min(columns - kAround, kBar);
    const size_t filled = s.total == 0 ? length : length * std::min(s.done, s.total) / s.total;
    std::string text(filled, '=');
    if (filled < length) text += '>';
    text.resize(length, ' ');
    return "[" + text + "] ";
}

std::string detailsText(const ProgressState& s) { return s.details.empty() ? "" : "  " + s.details; }

}  // namespace

std::string liveLine(const ProgressState& s, size_t columns) {
    const std::string numbers = fmt::format("{}/{}{}{}", s.done, s.total, detailsText(s), timeText(s));
    const size_t others = s.label.size() + 1 + numbers.size();
    return fmt::format("{} {}{}", s.label, bar(s, columns - std::min(columns, others)), numbers).substr(0, columns);
}

std::string plainLine(const ProgressState& s) { return fmt::format("{} {}/{}{}{}", s.label, s.done, s.total, detailsText(s), timeText(s)); }

Progress::Style Progress::styleOfStandardError() { return platform::isTerminal() ? Style::live : Style::plain; }

Progress::Progress(std::ostream& out, Style style, std::string label, uint64_t total, std::optional<std::chrono::milliseconds> interval)
    : out_(out),
      style_(style),
      interval_(interval               ? Clock::duration(*interval)
                : style == Style::live ? Clock::duration(kLiveInterval)
                                       : kPlainInterval),
      state_{.label = std::move(label), .total = total} {
    if (style_ == Style::plain) shown_ = begin_;  // the first plain line comes after an interval
}

Progress::~Progress() {
    if (lineOpen_) out_ << '\n' << std::flush;
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

void Progress::startAt(uint64_t done) {
    state_.first = state_.done = done;
    state_.firstSeconds = seconds();
    state_.details.clear();
}

void Progress::announce(std::string what) {
    if (style_ == Style::silent || finished_) return;
    state_.details = std::move(what);
    show(false);
}

bool Progress::due() const { return style_ != Style::silent && !finished_ && Clock::now() - shown_ >= interval_; }

void Progress::update(uint64_t done, std::string details) {
    if (finished_) return;
    state_.done = done;
    if (!details.empty()) state_.details = std::move(details);
    if (due()) show(false);
}

void Progress::finish() {
    if (finished_ || style_ == Style::silent) return;
    show(true);
    finished_ = true;
}

void Progress::show(bool last) {
    // A plain line with all done waits for finish(), which shows it with the last details.
    if (style_ == Style::plain && (shownDone_ == state_.done || (!last && state_.done >= state_.total))) return;
    shown_ = Clock::now();
    shownDone_ = state_.done;
    state_.seconds = seconds();
    if (style_ == Style::plain) {
        out_ << plainLine(state_) << '\n' << std::flush;
        return;
    }
    out_ << "\r\x1b[K" << liveLine(state_, platform::terminalColumns()) << (last ? "\n" : "") << std::flush;
    lineOpen_ = !last;
}

}  // namespace splat
