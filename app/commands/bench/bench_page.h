#pragma once

#include <span>
#include <string>
#include <vector>

#include <splatwright/primitives/bench.h>
#include "commands/bench/suite_tables.h"
#include "commands/bench/svg_chart.h"

namespace splat::app {

/// Median milliseconds: a table per benchmark with a row per number of items and a column per variant, in the order of the rows.
std::vector<ReportTable> benchTables(std::span<const primitives::BenchRow> rows);

/// The same as a chart per benchmark with a line per variant, both axes logarithmic.
std::vector<Chart> benchCharts(std::span<const primitives::BenchRow> rows);

/// An HTML document with charts, tables and notes. `facts` are lines below the title.
std::string benchPage(std::span<const primitives::BenchRow> rows, std::vector<std::string> facts);

}  // namespace splat::app
