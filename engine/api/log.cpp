#include <splatwright/log.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <spdlog/sinks/base_sink.h>

#include <splatwright/core/log.h>

namespace splatwright {

namespace {

class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit FunctionSink(Log log) : log_(std::move(log)) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        if (!log_) return;
        const bool isError = message.level >= spdlog::level::err;
        const LogLevel level = isError ? LogLevel::error : message.level == spdlog::level::warn ? LogLevel::warning : LogLevel::info;
        log_(level, splat::printable({message.payload.data(), message.payload.size()}));
    }
    void flush_() override {}

    Log log_;
};

}  // namespace

void setLog(Log log) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("splatwright", std::make_shared<FunctionSink>(std::move(log))));
}

}  // namespace splatwright
