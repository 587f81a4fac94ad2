#include "commands/bench/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include "commands/bench/svg_elements.h"

namespace splat::app {

namespace {

constexpr int kLeft = 64, kRight = 12, kTop = 28, kBottom = 40;  // pixels around the plot
constexpr int kTickLength = 4, kLegendLine = 16;
constexpr const char* kHalo = " stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\"";  // keeps text legible over curves
constexpr int kXPixelsPerTick = 60, kYPixelsPerTick = 36;

double scaled(double value, bool logarithmic) { return logarithmic ? std::log10(value) : value; }

/// The range of an axis and where a value of it is drawn.
struct Scale {
    double low = 0, high = 1;
    bool logarithmic = false;
    int pixelsPerTick = 1;
    double begin = 0, end = 1;  ///< pixels

    double at(double value) const {
        const double first = scaled(low, logarithmic), last = scaled(high, logarithmic);
        return begin + (end - begin) * (scaled(value, logarithmic) - first) / (last - first);
    }
    bool draws(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
    std::vector<double> ticks() const {
        const int count = std::max(2, static_cast<int>(std::abs(end - begin)) / pixelsPerTick);
        return logarithmic ? logarithmicTicks(low, high) : linearTicks(low, high, count);
    }
};

/// Widens a range that is empty or a single value.
void widen(Scale& scale) {
    if (scale.low > scale.high) std::tie(scale.low, scale.high) = std::pair(1.0, 2.0);
    if (scale.low < scale.high) return;
    const double margin = scale.low == 0 ? 1 : std::abs(scale.low) * 0.1;
    scale.low -= margin;
    scale.high += margin;
}

using Coordinate = double std::pair<double, double>::*;

Scale scaleOf(const Chart& chart, const ChartAxis& axis, Coordinate coordinate) {
    Scale scale{
        .low = std::numeric_limits<double>::infinity(), .high = -std::numeric_limits<double>::infinity(), .logarithmic = axis.logarithmic};
    for (const ChartLine& line : chart.lines) {
        for (const auto& point : line.points) {
            if (!scale.draws(point.*coordinate)) continue;
            scale.low = std::min(scale.low, point.*coordinate);
            scale.high = std::max(scale.high, point.*coordinate);
        }
    }
    widen(scale);
    return scale;
}

struct Frame {
    Scale x, y;
};

Frame frameOf(const Chart& chart) {
    Frame frame{scaleOf(chart, chart.x, &std::pair<double, double>::first), scaleOf(chart, chart.y, &std::pair<double, double>::second)};
    std::tie(frame.x.pixelsPerTick, frame.y.pixelsPerTick) = std::pair(kXPixelsPerTick, kYPixelsPerTick);
    std::tie(frame.x.begin, frame.x.end) = std::pair(kLeft, chart.width - kRight);
    std::tie(frame.y.begin, frame.y.end) = std::pair(chart.height - kBottom, kTop);
    return frame;
}

std::string axes(const Chart& chart, const Frame& frame) {
    const double bottom = frame.y.begin, left = frame.x.begin;
    std::string svg;
    for (const double tick : frame.x.ticks()) {
        svg += svgRule(frame.x.at(tick), frame.y.end, frame.x.at(tick), bottom + kTickLength, "#ddd");
        svg += svgText(frame.x.at(tick), bottom + 16, "middle", tickLabel(tick));
    }
    for (const double tick : frame.y.ticks()) {
        svg += svgRule(left - kTickLength, frame.y.at(tick), frame.x.end, frame.y.at(tick), "#ddd");
        svg += svgText(left - 6, frame.y.at(tick) + 4, "end", tickLabel(tick));
    }
    svg += svgRule(left, bottom, frame.x.end, bottom, "#444") + svgRule(left, frame.y.end, left, bottom, "#444");
    svg += svgText(chart.width / 2.0, 16, "middle", chart.title, " font-weight=\"bold\"");
    svg += svgText((left + frame.x.end) / 2, chart.height - 6, "middle", chart.x.title);
    const double middle = (bottom + frame.y.end) / 2;
    return svg + svgText(12, middle, "middle", chart.y.title, fmt::format(" transform=\"rotate(-90 12 {:.1f})\"", middle));
}

/// In the lower right corner, where curves that rise leave space.
std::string legend(const Chart& chart, const Frame& frame) {
    std::vector<std::pair<std::string_view, std::string_view>> entries;
    size_t longest = 0;
    for (const ChartLine& line : chart.lines) {
        const bool known = std::ranges::any_of(entries, [&](const auto& entry) { return entry.first == line.name; });
        if (line.name.empty() || known) continue;
        entries.emplace_back(line.name, line.colour);
        longest = std::max(longest, line.name.size());
    }
    const double left = frame.x.end - 30 - kSvgCharacter * static_cast<double>(longest);
    double y = frame.y.begin - 8 - kLegendLine * (static_cast<double>(entries.size()) - 1);
    std::string svg;
    for (const auto& [name, colour] : entries) {
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"16\" height=\"3\" fill=\"{}\"/>\n", left, y - 5, escapedMarkup(colour));
        svg += svgText(left + 22, y, "start", name, kHalo);
        y += kLegendLine;
    }
    return svg;
}

}  // namespace

std::string toSvg(const Chart& chart) {
    const Frame frame = frameOf(chart);
    std::string svg = axes(chart, frame);
    for (const ChartLine& line : chart.lines) {
        std::string points;
        for (const auto& [x, y] : line.points) {
            if (frame.x.draws(x) && frame.y.draws(y)) points += fmt::format("{:.1f},{:.1f} ", frame.x.at(x), frame.y.at(y));
        }
        if (points.empty()) continue;
        svg +=
            fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"/>\n", points, escapedMarkup(line.colour));
    }
    return svgOf(chart.width, chart.height, svg + legend(chart, frame));
}

std::vector<std::string> toSvg(const std::vector<Chart>& charts) {
    std::vector<std::string> svg;
    for (const Chart& chart : charts) svg.push_back(toSvg(chart));
    return svg;
}

std::vector<double> linearTicks(double low, double high, int count) {
    SPLAT_CHECK(low < high && count > 0, "{} to {}, {} ticks", low, high, count);
    const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
    const double digit = rough / power;
    const double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    std::vector<double> ticks;
    const auto first = std::llround(std::ceil(low / step - 1e-9)), last = std::llround(std::floor(high / step + 1e-9));
    for (long long i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
    return ticks;
}

std::vector<double> logarithmicTicks(double low, double high) {
    SPLAT_CHECK(0 < low && low < high, "{} to {}", low, high);
    constexpr int kFewest = 3;
    std::vector<double> powers, all;
    const auto first = std::lround(std::floor(std::log10(low))), last = std::lround(std::ceil(std::log10(high)));
    for (long exponent = first; exponent <= last; ++exponent) {
        const double power = std::pow(10, exponent);
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = power * factor;
            if (tick < low * (1 - 1e-9) || tick > high * (1 + 1e-9)) continue;
            all.push_back(tick);
            if (factor == 1) powers.push_back(tick);
        }
    }
    if (std::ssize(powers) >= kFewest) return powers;
    return std::ssize(all) >= kFewest ? all : linearTicks(low, high, 2 * kFewest);
}

std::string tickLabel(double value) {
    const double size = std::abs(value);
    if (size >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
    if (size >= 1e4) return fmt::format("{:.4g}k", value / 1e3);
    return size < 1e-12 ? "0" : fmt::format("{:.6g}", value);
}

std::string chartColour(size_t index) {
    constexpr std::array<const char*, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#b0a000"};
    return kColours[index % kColours.size()];
}

}  // namespace splat::app
