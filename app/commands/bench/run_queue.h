#pragma once

#include <string>
#include <vector>

#include "commands/bench/suite_run.h"
#include "commands/context.h"
#include "commands/interrupt.h"

namespace splat::app {

struct QueueOptions {
    std::vector<std::string> devices;  ///< one process at a time on each; an empty name: the default device
    std::vector<std::string> global;   ///< further arguments for every process
    bool keepCheckpoints = false;      ///< of complete runs
    bool force = false;                ///< train complete runs again, and interrupted ones from their first step
};

/// What became of the runs that were started.
struct QueueResult {
    std::vector<std::string> failures;  ///< a line per failed run: its name, how the process ended, what it said last
    size_t trained = 0;
    bool onlyValidation = true;  ///< every failure is a validation message
};

/// Trains the runs that are not complete, each as a process of its own, and reports each on standard error. A run that fails leaves the others
/// alone. An interrupt stops the processes and starts no further ones; the runs they leave can be resumed.
QueueResult trainRuns(const std::vector<SuiteRun>& runs, const QueueOptions& options, const Interrupt& interrupt);

/// Global options of this program that its processes need too, without the device.
std::vector<std::string> globalArguments(const GlobalOptions& options);

}  // namespace splat::app
