#pragma once

#include <optional>
#include <string>
#include <vector>

#include <splatwright/train/suite/suite_results.h>

namespace splat::app {

/// A table for the terminal and the page.
struct ReportTable {
    std::string title;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;  ///< the first cell names the row
};

/// Mean and deviation of every figure: a table per scene with a row per preset, and one of the means over scenes.
std::vector<ReportTable> resultTables(const SuiteResults& results);

/// Differences of every other preset to the preset of index `base`, in the same order.
std::vector<ReportTable> comparisonTables(const SuiteResults& results, size_t base);

/// For each scene the preset that was chosen on the others, and its difference to `base` on this one; last the mean over scenes.
ReportTable leaveOneOutTable(const SuiteResults& results, size_t base);

/// Columns aligned by blanks, a line per row.
std::string asText(const ReportTable& table);

}  // namespace splat::app
