#include <splatwright/gpu/submission_log.h>

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

namespace splat::gpu {

void SubmissionLog::add(Ticket ticket, const std::string& name) {
    const std::scoped_lock lock(mutex_);
    entries_.push_back({.ticket = ticket, .name = name, .passes = {}});
    if (entries_.size() > kKept) entries_.pop_front();
}

void SubmissionLog::addPasses(Ticket ticket, std::vector<std::string> passes) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(entries_, ticket, &Entry::ticket);
    if (found != entries_.end()) found->passes = std::move(passes);
}

void SubmissionLog::reached(Ticket ticket) {
    const std::scoped_lock lock(mutex_);
    reached_ = std::max(reached_, ticket);
}

std::string SubmissionLog::text(Ticket done) const {
    const std::scoped_lock lock(mutex_);
    done = std::max(done, reached_);
    const auto quoted = [](const Entry& entry) {
        return entry.passes.empty() ? fmt::format("'{}'", entry.name) : fmt::format("'{}' ({})", entry.name, fmt::join(entry.passes, ", "));
    };
    const auto last = std::ranges::find(entries_, done, &Entry::ticket);
    const auto next = std::ranges::find(entries_, done + 1, &Entry::ticket);
    std::string text = last == entries_.end()
                           ? fmt::format("submission {} ran last", done)
                           : fmt::format("{} ran last (submission {} of {})", quoted(*last), done, entries_.back().ticket);
    if (next != entries_.end()) text += fmt::format(", {} had begun or was next", quoted(*next));
    return text;
}

}  // namespace splat::gpu
