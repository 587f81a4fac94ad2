#pragma once

#include <string>
#include <vector>

namespace splat::app {

/// A horizontal bar from 0.
struct Bar {
    std::string label;
    double value = 0;
    double low = 0, high = 0;  ///< ends of a thin line over the bar; equal: none
};

struct BarChart {
    std::string title;
    std::string unit;       ///< of the values, below the axis
    std::vector<Bar> bars;  ///< from top to bottom
    int width = 600;        ///< pixels; the height follows from the number of bars
};

/// An <svg> element without references to other files. Values that are negative or not finite get no bar.
std::string toSvg(const BarChart& chart);
std::vector<std::string> toSvg(const std::vector<BarChart>& charts);

}  // namespace splat::app
