#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <splatwright/train/suite/suite_results.h>
#include "commands/bench/suite_run.h"
#include "commands/context.h"

namespace splat::app {

/// A picture of the page.
struct ReportPicture {
    std::string title;
    std::filesystem::path file;  ///< PNG
};

/// Per scene and preset, the test view with the lowest PSNR of all seeds: ground truth, render and error map. Renders those that are not there yet
/// into their runs' folders.
std::vector<ReportPicture> worstViews(Context& context, std::span<const SuiteRun> runs, const SuiteResults& results);

}  // namespace splat::app
