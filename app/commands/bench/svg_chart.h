#pragma once

#include <string>
#include <utility>
#include <vector>

namespace splat::app {

/// A line of a chart.
struct ChartLine {
    std::string name;    ///< in the legend, where equal names share an entry; empty: none
    std::string colour;  ///< as SVG has it
    std::vector<std::pair<double, double>>
        points;  ///< in order; those that are not finite, or not positive on a logarithmic axis, are left out
};

struct ChartAxis {
    std::string title;
    bool logarithmic = false;
};

struct Chart {
    std::string title;
    ChartAxis x, y;
    std::vector<ChartLine> lines;
    int width = 480, height = 300;  ///< pixels
};

/// An <svg> element without references to other files.
std::string toSvg(const Chart& chart);
std::vector<std::string> toSvg(const std::vector<Chart>& charts);

/// Round numbers within [low, high], about `count` of them: multiples of 1, 2 or 5 times a power of ten.
std::vector<double> linearTicks(double low, double high, int count);
/// Powers of ten within [low, high], 0 < low; if there are fewer than three, with their multiples by 2 and 5; if these are too few, linear ticks.
std::vector<double> logarithmicTicks(double low, double high);
/// "1500", "15k", "2M", "0.25".
std::string tickLabel(double value);

/// Colours that are told apart also by readers with a colour vision deficiency (Okabe and Ito 2008), repeated from the ninth on.
std::string chartColour(size_t index);

}  // namespace splat::app
