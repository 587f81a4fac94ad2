#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/core/log.h>

namespace splat::app {

/// A message of the viewer or of the engine.
struct LoggedMessage {
    std::chrono::system_clock::time_point time;
    spdlog::level::level_enum level;
    std::string text;
};

/// "12:34:56 error text", in local time.
std::string lineOf(const LoggedMessage& message);

/// The newest messages, whichever thread they come from: what is written to it, and what is logged while it exists.
class MessageLog {
public:
    MessageLog();
    ~MessageLog();
    MessageLog(const MessageLog&) = delete;
    MessageLog& operator=(const MessageLog&) = delete;

    void add(spdlog::level::level_enum level, std::string_view text);
    /// Those with this text in their line, ignoring case, oldest first; all for an empty text.
    std::vector<LoggedMessage> matching(std::string_view text, bool problemsOnly) const;
    void clear();

private:
    mutable std::mutex mutex_;
    std::deque<LoggedMessage> messages_;
    spdlog::sink_ptr tap_;
};

}  // namespace splat::app
