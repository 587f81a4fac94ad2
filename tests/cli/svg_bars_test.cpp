// Bars, and that the texts of charts can be read.
#include "commands/bench/svg_bars.h"

#include <cmath>
#include <limits>
#include <regex>

#include <gtest/gtest.h>

#include "commands/bench/svg_chart.h"
#include "commands/bench/svg_elements.h"

namespace splat::app {
namespace {

struct Box {
    double left, top, right, bottom;
    bool overlaps(const Box& other) const { return left < other.right && other.left < right && top < other.bottom && other.top < bottom; }
};

struct Text {
    std::string content;
    Box box;
};

/// Attributes x, y and text-anchor of each text that is not rotated, and its place if every character is wide.
std::vector<Text> textsOf(const std::string& svg) {
    std::vector<Text> texts;
    const std::regex text("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" text-anchor=\"(start|middle|end)\"([^>]*)>([^<]*)<");
    for (std::sregex_iterator i(svg.begin(), svg.end(), text), end; i != end; ++i) {
        const std::smatch& m = *i;
        if (m[4].str().find("rotate") != std::string::npos) continue;
        const double x = std::stod(m[1]), y = std::stod(m[2]), width = static_cast<double>(m[5].length()) * kSvgCharacter;
        const double left = m[3] == "start" ? x : m[3] == "end" ? x - width : x - width / 2;
        texts.push_back({m[5], {left, y - 9, left + width, y + 3}});
    }
    return texts;
}

/// Width and height of the drawing.
std::pair<double, double> sizeOf(const std::string& svg) {
    std::smatch found;
    const std::regex box("viewBox=\"0 0 ([0-9]+) ([0-9]+)\"");
    EXPECT_TRUE(std::regex_search(svg, found, box));
    return {std::stod(found[1]), std::stod(found[2])};
}

void expectReadable(const std::string& svg) {
    const auto [width, height] = sizeOf(svg);
    const std::vector<Text> texts = textsOf(svg);
    ASSERT_FALSE(texts.empty());
    for (size_t i = 0; i < texts.size(); ++i) {
        const Box& box = texts[i].box;
        EXPECT_TRUE(box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height) << texts[i].content << "\n" << svg;
        for (size_t j = 0; j < i; ++j) EXPECT_FALSE(box.overlaps(texts[j].box)) << texts[i].content << " and " << texts[j].content;
    }
}

/// Left end and width of every bar.
std::vector<std::pair<double, double>> rectanglesOf(const std::string& svg) {
    std::vector<std::pair<double, double>> found;
    const std::regex rectangle("<rect x=\"([-0-9.]+)\" y=\"[-0-9.]+\" width=\"([-0-9.]+)\"");
    for (std::sregex_iterator i(svg.begin(), svg.end(), rectangle), end; i != end; ++i)
        found.emplace_back(std::stod((*i)[1]), std::stod((*i)[2]));
    return found;
}

BarChart longChart() {
    BarChart chart{.title = "accumulate, photograph_of_the_garden_0001.png, 1000x750", .unit = "times as fast as atomic", .bars = {}};
    for (int i = 0; i < 27; ++i) chart.bars.push_back({"subgroup from " + std::to_string(i) + "/8", 0.1 * i, 0.09 * i, 0.13 * i});
    chart.bars.push_back({std::string(90, 'w'), 2, 2, 2});
    return chart;
}

TEST(Bars, LengthsAreProportionalToValues) {
    const auto bars = rectanglesOf(toSvg(BarChart{.title = "t", .unit = "ms", .bars = {{"a", 2}, {"b", 4}, {"c", 1}}}));
    ASSERT_EQ(bars.size(), 3u);
    EXPECT_NEAR(bars[0].second, bars[1].second / 2, 0.11);
    EXPECT_NEAR(bars[2].second, bars[1].second / 4, 0.11);
    EXPECT_EQ(bars[0].first, bars[1].first);
}

TEST(Bars, TextsLieInTheDrawingAndApart) {
    expectReadable(toSvg(longChart()));
    for (const double value : {1e-9, 0.037, 1.0, 1234567.0})
        expectReadable(toSvg(BarChart{.title = "t", .unit = "ms", .bars = {{"a", value, value / 2, value * 3}, {"b", value / 7}}}));
}

TEST(Bars, ARangeIsDrawnOverItsBar) {
    const std::string without = toSvg(BarChart{.title = "t", .unit = "ms", .bars = {{"a", 2}}});
    const std::string with = toSvg(BarChart{.title = "t", .unit = "ms", .bars = {{"a", 2, 1, 4}}});
    EXPECT_EQ(without.find("#222"), std::string::npos);
    EXPECT_NE(with.find("#222"), std::string::npos);
    EXPECT_NEAR(rectanglesOf(with)[0].second, rectanglesOf(without)[0].second / 2, 0.11) << "the axis ends at the greatest value";
}

TEST(Bars, NumbersThatCannotBeDrawnHaveNoBar) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const std::string svg = toSvg(BarChart{.title = "", .unit = "", .bars = {{"a", kInfinite}, {"b", std::nan("")}, {"c", -1}, {"d", 0}}});
    for (const auto& [left, width] : rectanglesOf(svg)) EXPECT_EQ(width, 0) << svg;
    EXPECT_TRUE(rectanglesOf(toSvg(BarChart{})).empty());
}

TEST(Bars, TextIsEscaped) {
    const std::string svg = toSvg(BarChart{.title = "<a>", .unit = "<b>", .bars = {{"<c>", 1}}});
    for (const char* tag : {"<a>", "<b>", "<c>"}) EXPECT_EQ(svg.find(tag), std::string::npos) << tag;
}

TEST(Chart, TextsLieInTheDrawingAndApart) {
    Chart chart{.title = "sort-32", .x = {"items", true}, .y = {"median ms", true}, .lines = {}, .width = 640, .height = 400};
    for (int i = 0; i < 9; ++i)
        chart.lines.push_back({"variant " + std::to_string(i), "red", {{10'000, 0.01 * (i + 1)}, {1 << 25, 3.0 * (i + 1)}}});
    expectReadable(toSvg(chart));
}

}  // namespace
}  // namespace splat::app
