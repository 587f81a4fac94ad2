#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "commands/bench/suite_tables.h"
#include "commands/bench/worst_views.h"

namespace splat::app {

/// Charts under a heading of their own; without charts, neither is shown.
struct ChartSection {
    std::string heading;
    std::vector<std::string> charts;  ///< <svg> elements
};

/// Contents of a page of results.
struct ReportPage {
    std::string title;
    std::vector<std::string> facts;  ///< lines below the title: machine, driver, version
    std::vector<ReportTable> tables;
    std::vector<ChartSection> charts;
    std::vector<ReportPicture> pictures;
};

/// An HTML document that refers to no other file: style and charts are inline, pictures are data. Throws Error for pictures that cannot be read.
std::string toHtml(const ReportPage& page);

/// RFC 4648, with padding.
std::string base64(std::span<const std::byte> bytes);

}  // namespace splat::app
