#pragma once

#include <string>

#include <splatwright/train/session/run_summary.h>

namespace splat::app {

struct RunPlan;

/// Prints the results of a run, its files, and how to resume it if it is not complete.
void printSummary(const RunSummary& summary, const RunPlan& plan);

/// Writes the result to the file of --save, if there is one, and says so.
void saveResult(const RunPlan& plan);

/// Names the files of a run that failed, and how to resume it: the end of an error message.
std::string savedText(const SavedFiles& saved);

}  // namespace splat::app
