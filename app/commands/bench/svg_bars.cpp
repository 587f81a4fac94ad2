#include "commands/bench/svg_bars.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "commands/bench/svg_chart.h"
#include "commands/bench/svg_elements.h"

namespace splat::app {

namespace {

constexpr int kBar = 14, kSpacing = 20;     // pixels: thickness of a bar, and from bar to bar
constexpr int kAbove = 28, kBelow = 40;     // pixels around the bars
constexpr int kGap = 6;                     // pixels between a bar and its texts
constexpr size_t kMostLabel = 40;           // characters; longer labels are cut
constexpr int kValue = 10 * kSvgCharacter;  // pixels behind the longest bar
constexpr int kTickDistance = 60;

/// 0 where a number cannot be drawn.
double drawable(double value) { return std::isfinite(value) ? std::max(value, 0.0) : 0; }

std::string labelOf(const Bar& bar) { return bar.label.size() <= kMostLabel ? bar.label : bar.label.substr(0, kMostLabel - 3) + "..."; }

/// Where bars begin and end.
struct Plot {
    explicit Plot(const BarChart& chart) : right(chart.width - kValue) {
        size_t longest = 0;
        for (const Bar& bar : chart.bars) {
            longest = std::max(longest, labelOf(bar).size());
            greatest = std::max({greatest, drawable(bar.value), drawable(bar.high)});
        }
        left = 2.0 * kGap + kSvgCharacter * static_cast<double>(longest);
        if (greatest <= 0) greatest = 1;
    }
    double at(double value) const { return left + (right - left) * drawable(value) / greatest; }

    double left = 0, right;
    double greatest = 0;  ///< value at the right end
};

std::string axisOf(const BarChart& chart, const Plot& plot, double bottom) {
    std::string svg;
    const int ticks = std::max(1, static_cast<int>(plot.right - plot.left) / kTickDistance);
    for (const double tick : linearTicks(0, plot.greatest, ticks)) {
        svg += svgRule(plot.at(tick), kAbove, plot.at(tick), bottom, "#ddd");
        svg += svgText(plot.at(tick), bottom + 14, "middle", tickLabel(tick));
    }
    svg += svgText(chart.width / 2.0, 16, "middle", chart.title, " font-weight=\"bold\"");
    return svg + svgText((plot.left + plot.right) / 2, bottom + 32, "middle", chart.unit);
}

}  // namespace

std::string toSvg(const BarChart& chart) {
    const Plot plot(chart);
    const int bottom = kAbove + kSpacing * static_cast<int>(chart.bars.size());
    std::string svg = axisOf(chart, plot, bottom);
    double top = kAbove + (kSpacing - kBar) / 2.0;
    for (const Bar& bar : chart.bars) {
        const double middle = top + kBar / 2.0, end = plot.at(bar.value);
        svg += svgText(plot.left - kGap, middle + 4, "end", labelOf(bar));
        svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n", plot.left, top,
                           end - plot.left, kBar, chartColour(0));
        if (bar.low < bar.high) svg += svgRule(plot.at(bar.low), middle, plot.at(bar.high), middle, "#222");
        const double behind = std::max(end, bar.low < bar.high ? plot.at(bar.high) : 0) + kGap;
        svg += svgText(behind, middle + 4, "start", fmt::format("{:.3g}", bar.value));
        top += kSpacing;
    }
    return svgOf(chart.width, bottom + kBelow, svg);
}

std::vector<std::string> toSvg(const std::vector<BarChart>& charts) {
    std::vector<std::string> svg;
    for (const BarChart& chart : charts) svg.push_back(toSvg(chart));
    return svg;
}

}  // namespace splat::app
