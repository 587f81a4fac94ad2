#include "core/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <unistd.h>

namespace splat {

void setUpLog(Verbosity verbosity) {
    auto logger = std::make_shared<spdlog::logger>("splat", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    // A live progress line may stand where the log line goes: wipe it first.
    logger->set_pattern(isatty(STDERR_FILENO) ? "\r\x1b[K%^%l%$: %v" : "%^%l%$: %v");
    logger->set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                      : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                        : spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace splat
