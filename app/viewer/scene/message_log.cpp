#include "viewer/scene/message_log.h"

#include <algorithm>
#include <cctype>

#include <fmt/chrono.h>
#include <spdlog/sinks/base_sink.h>

#include <splatwright/core/names.h>

namespace splat::app {

namespace {

constexpr size_t kMost = 1000;

std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Hands on what is logged.
class Tap : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit Tap(MessageLog& log) : log_(log) { set_level(spdlog::level::info); }

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        log_.add(message.level, {message.payload.data(), message.payload.size()});
    }
    void flush_() override {}

    MessageLog& log_;
};

}  // namespace

std::string lineOf(const LoggedMessage& message) {
    const auto level = spdlog::level::to_string_view(message.level);
    return fmt::format("{:%H:%M:%S} {} {}", fmt::localtime(std::chrono::system_clock::to_time_t(message.time)),
                       std::string_view(level.data(), level.size()), message.text);
}

MessageLog::MessageLog() : tap_(std::make_shared<Tap>(*this)) { spdlog::default_logger()->sinks().push_back(tap_); }

MessageLog::~MessageLog() { std::erase(spdlog::default_logger()->sinks(), tap_); }

void MessageLog::add(spdlog::level::level_enum level, std::string_view text) {
    const std::lock_guard lock(mutex_);
    messages_.push_back({std::chrono::system_clock::now(), level, printable(text)});
    if (messages_.size() > kMost) messages_.pop_front();
}

std::vector<LoggedMessage> MessageLog::matching(std::string_view text, bool problemsOnly) const {
    const std::string wanted = lowerCase(std::string(text));
    const std::lock_guard lock(mutex_);
    std::vector<LoggedMessage> found;
    for (const LoggedMessage& m : messages_) {
        if (problemsOnly && m.level < spdlog::level::warn) continue;
        if (wanted.empty() || lowerCase(lineOf(m)).find(wanted) != std::string::npos) found.push_back(m);
    }
    return found;
}

void MessageLog::clear() {
    const std::lock_guard lock(mutex_);
    messages_.clear();
}

}  // namespace splat::app
