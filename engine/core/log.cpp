#include <splatwright/core/log.h>

#include <memory>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <splatwright/core/platform/console.h>

namespace splat {

namespace {

/// The message as a function writes it.
class WrittenMessage : public spdlog::custom_flag_formatter {
public:
    explicit WrittenMessage(std::string (*text)(std::string_view)) : text_(text) {}

    void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
        const std::string text = text_({message.payload.data(), message.payload.size()});
        out.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<spdlog::custom_flag_formatter> clone() const override { return std::make_unique<WrittenMessage>(text_); }

private:
    std::string (*text_)(std::string_view);
};

}  // namespace

void setUpLog(Verbosity verbosity, std::string (*text)(std::string_view)) {
    auto logger = std::make_shared<spdlog::logger>("splat", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<WrittenMessage>('*', text);
    // A live progress line may stand where the log line goes: wipe it first.
    formatter->set_pattern(platform::isTerminal() ? "\r\x1b[K%^%l%$: %*" : "%^%l%$: %*");
    logger->set_formatter(std::move(formatter));
    logger->set_level(verbosity == Verbosity::quiet     ? spdlog::level::err
                      : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                        : spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace splat
