#include "commands/command_line.h"
#include "commands/standard_output.h"

// Exceptions that get here are mistakes in the declaration of options: they end the program at its first start.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
    splat::app::prepareStreams();
    return static_cast<int>(splat::app::CommandLine().run(argc, argv));
}
