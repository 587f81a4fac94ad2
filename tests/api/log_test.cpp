#include <splatwright/log.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/core/log.h>

namespace splatwright {
namespace {

struct LibraryLog : testing::Test {
    ~LibraryLog() override { spdlog::set_default_logger(before); }

    std::shared_ptr<spdlog::logger> before = spdlog::default_logger();
    std::vector<std::pair<LogLevel, std::string>> messages;
};

TEST_F(LibraryLog, ReachesTheFunctionByItsLevel) {
    setLog([&](LogLevel level, std::string_view message) { messages.emplace_back(level, message); });
    spdlog::debug("nothing");
    spdlog::info("{} views", 3);
    spdlog::warn("two\nlines");
    spdlog::error("a file");
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(messages[0], std::pair(LogLevel::info, std::string("3 views")));
    EXPECT_EQ(messages[1].first, LogLevel::warning);
    EXPECT_EQ(messages[1].second.find('\n'), std::string::npos) << messages[1].second;
    EXPECT_EQ(messages[2], std::pair(LogLevel::error, std::string("a file")));
}

TEST_F(LibraryLog, IsDroppedWithoutAFunction) {
    setLog([&](LogLevel level, std::string_view message) { messages.emplace_back(level, message); });
    setLog({});
    spdlog::error("a file");
    EXPECT_TRUE(messages.empty());
}

}  // namespace
}  // namespace splatwright
