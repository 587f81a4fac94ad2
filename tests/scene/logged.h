#pragma once

#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

namespace splat::test {

/// The messages that the engine logs during the action, one a line.
inline std::string loggedBy(const std::function<void()>& action) {
    std::ostringstream text;
    const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
    sink->set_formatter(std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::local, "\n"));
    auto& sinks = spdlog::default_logger()->sinks();
    sinks.push_back(sink);
    action();
    sinks.pop_back();
    return text.str();
}

}  // namespace splat::test
