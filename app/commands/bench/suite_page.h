#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "commands/bench/suite_tables.h"
#include "commands/bench/svg_chart.h"
#include "commands/bench/worst_views.h"

namespace splat::app {

/// Contents of a page of results.
struct ReportPage {
    std::string title;
    std::vector<std::string> facts;  ///< lines below the title: machine, driver, version
    std::vector<ReportTable> tables;
    std::vector<Chart> charts;
    std::string chartsHeading = "Training";
    std::vector<ReportPicture> pictures;
};

/// An HTML document that refers to no other file: style and charts are inline, pictures are data. Throws Error for pictures that cannot be read.
std::string toHtml(const ReportPage& page);

/// RFC 4648, with padding.
std::string base64(std::span<const std::byte> bytes);

}  // namespace splat::app
