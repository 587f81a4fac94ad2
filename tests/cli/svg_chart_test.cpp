// Charts and pages of results.
#include "commands/bench/svg_chart.h"

#include <cmath>
#include <limits>
#include <regex>

#include <gtest/gtest.h>

#include "commands/bench/suite_page.h"
#include "run.h"

namespace splat::app {
namespace {

size_t countOf(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// The points of every polyline, pixels.
std::vector<std::vector<std::pair<double, double>>> polylines(const std::string& svg) {
    std::vector<std::vector<std::pair<double, double>>> lines;
    const std::regex line("<polyline points=\"([^\"]*)\""), point("([-0-9.]+),([-0-9.]+)");
    for (std::sregex_iterator i(svg.begin(), svg.end(), line), end; i != end; ++i) {
        const std::string points = (*i)[1];
        auto& found = lines.emplace_back();
        for (std::sregex_iterator p(points.begin(), points.end(), point); p != end; ++p)
            found.emplace_back(std::stod((*p)[1]), std::stod((*p)[2]));
    }
    return lines;
}

TEST(Chart, LinearTicksAreRoundAndWithinTheRange) {
    EXPECT_EQ(linearTicks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(linearTicks(17, 43, 3), (std::vector<double>{20, 30, 40}));
    EXPECT_EQ(linearTicks(-1.5, 1.5, 3), (std::vector<double>{-1, 0, 1}));
    for (const auto& [low, high] : {std::pair(0.1, 0.7), std::pair(1e-9, 3e-9), std::pair(-5e6, 1e7), std::pair(29.1, 29.4)}) {
        const auto ticks = linearTicks(low, high, 5);
        EXPECT_GE(ticks.size(), 2u) << low << " " << high;
        EXPECT_LE(ticks.size(), 7u) << low << " " << high;
        const double margin = 1e-6 * (high - low);
        for (const double tick : ticks) EXPECT_TRUE(tick >= low - margin && tick <= high + margin) << tick;
    }
}

TEST(Chart, LogarithmicTicksArePowersOfTenOrTheirMultiplesIfThereAreFew) {
    EXPECT_EQ(logarithmicTicks(1, 1000), (std::vector<double>{1, 10, 100, 1000}));
    EXPECT_EQ(logarithmicTicks(3, 60), (std::vector<double>{5, 10, 20, 50}));
    EXPECT_EQ(logarithmicTicks(30, 45), (std::vector<double>{30, 35, 40, 45}));
}

TEST(Chart, TickLabelsAreShort) {
    EXPECT_EQ(tickLabel(0), "0");
    EXPECT_EQ(tickLabel(0.25), "0.25");
    EXPECT_EQ(tickLabel(1500), "1500");
    EXPECT_EQ(tickLabel(15000), "15k");
    EXPECT_EQ(tickLabel(-2.5e6), "-2.5M");
}

TEST(Chart, ValuesLieWhereTheAxesSay) {
    const Chart chart{.title = "", .x = {"t"}, .y = {"v"}, .lines = {{"a", "red", {{0, 5}, {50, 10}, {100, 25}}}}};
    const auto line = polylines(toSvg(chart)).at(0);
    ASSERT_EQ(line.size(), 3u);
    EXPECT_NEAR(line[1].first, (line[0].first + line[2].first) / 2, 0.11);
    EXPECT_NEAR((line[1].second - line[0].second) / (line[2].second - line[0].second), 0.25, 1e-3);
    EXPECT_LT(line[2].second, line[0].second) << "larger values lie higher";
    for (const auto& [x, y] : line) EXPECT_TRUE(x >= 0 && x <= chart.width && y >= 0 && y <= chart.height);
}

TEST(Chart, ALogarithmicAxisSpacesByRatio) {
    const Chart chart{.title = "", .x = {"t", true}, .y = {"v"}, .lines = {{"a", "red", {{0, 9}, {-1, 9}, {1, 0}, {10, 1}, {100, 2}}}}};
    const auto line = polylines(toSvg(chart)).at(0);
    ASSERT_EQ(line.size(), 3u) << "no place for 0 and below";
    EXPECT_NEAR(line[1].first, (line[0].first + line[2].first) / 2, 0.11);
}

TEST(Chart, NothingSingleAndNonFiniteValuesAreDrawnWithoutNumbersThatAreNone) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    for (const bool logarithmic : {false, true}) {
        Chart chart{.title = "", .x = {"t", logarithmic}, .y = {"v", logarithmic}, .lines = {}};
        for (const std::vector<std::pair<double, double>>& points : {std::vector<std::pair<double, double>>{},
                                                                     {{1, 1}},
                                                                     {{1, 5}, {2, 5}},
                                                                     {{0, 0}},
                                                                     {{kInfinite, 1}, {1, std::nan("")}, {2, 3}}}) {
            chart.lines = {{"a", "red", points}};
            const std::string svg = toSvg(chart);
            EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
            EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
        }
    }
}

TEST(Chart, TheLegendNamesEachLineOnce) {
    const Chart chart{
        .title = "", .x = {"t"}, .y = {"v"}, .lines = {{"one", "red", {{0, 1}}}, {"one", "red", {{1, 2}}}, {"", "blue", {{0, 2}}}}};
    EXPECT_EQ(countOf(toSvg(chart), ">one<"), 1u);
    EXPECT_EQ(countOf(toSvg(chart), "<rect"), 1u);
}

TEST(Chart, TextIsEscaped) {
    const std::string hostile = "<script>\"'&";
    const Chart chart{.title = hostile, .x = {hostile}, .y = {hostile}, .lines = {{hostile, hostile, {{0, 1}, {1, 2}}}}};
    const std::string svg = toSvg(chart);
    EXPECT_EQ(svg.find("<script>"), std::string::npos);
    EXPECT_EQ(countOf(svg, "&lt;script&gt;&quot;&#39;&amp;"), 6u);
}

TEST(Page, Base64IsThatOfTheStandard) {
    const auto of = [](const std::string& text) { return base64(std::as_bytes(std::span(text))); };
    EXPECT_EQ(of(""), "");
    EXPECT_EQ(of("f"), "Zg==");
    EXPECT_EQ(of("fo"), "Zm8=");
    EXPECT_EQ(of("foo"), "Zm9v");
    EXPECT_EQ(of("foobar"), "Zm9vYmFy");
    EXPECT_EQ(of("\xfb\xff\xfe"), "+//+");
}

TEST(Page, TextIsEscapedAndPicturesAreData) {
    const test::Scratch scratch;
    const auto picture = scratch.write("a.png", "foo");
    const ReportPage page{
        .title = "<b>", .facts = {"<i>"}, .tables = {{"<u>", {"<s>"}, {{"<em>"}}}}, .charts = {}, .pictures = {{"\"<q>", picture}}};
    const std::string html = toHtml(page);
    for (const char* tag : {"<b>", "<i>", "<u>", "<s>", "<em>", "<q>"}) EXPECT_EQ(html.find(tag), std::string::npos) << tag;
    EXPECT_NE(html.find("src=\"data:image/png;base64,Zm9v\""), std::string::npos);
}

}  // namespace
}  // namespace splat::app
