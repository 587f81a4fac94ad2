#pragma once

#include <span>
#include <string>
#include <vector>

#include <splatwright/primitives/bench.h>
#include "commands/bench/suite_tables.h"
#include "commands/bench/svg_bars.h"
#include "commands/bench/svg_chart.h"

namespace splat::app {

/// A row as the terminal shows it; times of what was skipped or wrong are dashes.
std::string benchLine(const primitives::BenchRow& row);

/// Milliseconds, "median [minimum, maximum]", a table per benchmark, in the order of the rows. Of random items: a row per number of items and a
/// column per variant. Of subjects: a row per variant and a column per subject.
std::vector<ReportTable> benchTables(std::span<const primitives::BenchRow> rows);

/// Median milliseconds of random items: a chart per benchmark with a line per variant, both axes logarithmic.
std::vector<Chart> timeCharts(std::span<const primitives::BenchRow> rows);
/// The same as millions of items per second.
std::vector<Chart> throughputCharts(std::span<const primitives::BenchRow> rows);

/// Percentage of weights that no draw can give, by benchmark and variant; empty if no row has it.
std::vector<Chart> lossCharts(std::span<const primitives::BenchRow> rows);

/// How many times faster than a base: the sort's variants at the largest number of items, over the slowest; gradient accumulation per view, over
/// the method `atomic`, or the slowest if that has no time.
std::vector<BarChart> speedUpCharts(std::span<const primitives::BenchRow> rows);
/// Milliseconds of subjects: pictures, and the stages of a training step.
std::vector<BarChart> stageCharts(std::span<const primitives::BenchRow> rows);

/// An HTML document with charts, tables and notes. `facts` are lines below the title.
std::string benchPage(std::span<const primitives::BenchRow> rows, std::vector<std::string> facts);

}  // namespace splat::app
