#include "core/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

namespace splat {

void setUpLog(Verbosity verbosity) {
    auto logger = std::make_shared<spdlog::logger>("splat", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_pattern("%^%l%$: %v");
    logger->set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                      : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                        : spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace splat
