#include "core/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

namespace splat {

namespace {

constexpr size_t kBar = 24;                                     // columns
constexpr auto kLiveInterval = std::chrono::milliseconds(100);  // often enough to look alive, too seldom to cost anything
constexpr auto kPlainInterval = std::chrono::seconds(10);       // a log of an hour stays readable

size_t terminalColumns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string clockText(double seconds) {
    const auto whole = static_cast<uint64_t>(std::lround(std::min(seconds, 1e9)));
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// Nothing while it cannot be known.
std::string timeText(const ProgressState& s) {
    if (s.done >= s.total) return "  in " + clockText(s.seconds);
    if (s.done <= s.first) return "";
    return fmt::format("  {} left", clockText(s.seconds * static_cast<double>(s.total - s.done) / static_cast<double>(s.done - s.first)));
}

/// "[==>   ] " in so many columns, or nothing where a bar would say nothing.
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

Progress::Style Progress::styleOfStandardError() { return isatty(STDERR_FILENO) ? Style::live : Style::plain; }

Progress::Progress(std::ostream& out, Style style, std::string label, uint64_t total)
    : out_(out), style_(style), state_{.label = std::move(label), .total = total} {
    if (style_ == Style::plain) shown_ = begin_;  // the first plain line comes after an interval
}

Progress::~Progress() {
    if (lineOpen_) out_ << '\n' << std::flush;
}

void Progress::startAt(uint64_t done) { state_.first = state_.done = done; }

bool Progress::due() const {
    const auto interval = style_ == Style::live ? Clock::duration(kLiveInterval) : Clock::duration(kPlainInterval);
    return style_ != Style::silent && !finished_ && Clock::now() - shown_ >= interval;
}

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
    shown_ = Clock::now();
    state_.seconds = std::chrono::duration<double>(shown_ - begin_).count();
    if (style_ == Style::plain) {
        out_ << plainLine(state_) << '\n' << std::flush;
        return;
    }
    out_ << "\r\x1b[K" << liveLine(state_, terminalColumns()) << (last ? "\n" : "") << std::flush;
    lineOpen_ = !last;
}

}  // namespace splat
