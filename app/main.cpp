#include <splatwright/core/platform/console.h>
#include <splatwright/core/platform/program.h>
#include "commands/command_line.h"

// Exceptions that get here are mistakes in the declaration of options: they end the program at its first start.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
    splat::platform::prepareStreams();
    return static_cast<int>(splat::app::CommandLine().run(splat::platform::commandLine(argc, argv)));
}
