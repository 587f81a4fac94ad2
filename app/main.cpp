#include <iostream>

#include <splatwright/core/platform/console.h>
#include <splatwright/core/platform/program.h>
#include "commands/command_line.h"
#include "commands/desktop_start.h"

// Exceptions that get here are mistakes in the declaration of options: they end the program at its first start.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
    namespace app = splat::app;
    splat::platform::prepareStreams();
    const std::vector<std::string> words = splat::platform::commandLine(argc, argv);
    if (!splat::platform::ownsConsole()) return static_cast<int>(app::CommandLine().run(words));
    const app::Exit exit = app::CommandLine().run(app::withViewer(words));
    if (exit != app::Exit::done && exit != app::Exit::hungUp) {  // unless the window is being closed
        std::cerr << "Press Enter to close this window.\n";
        std::cin.get();
    }
    return static_cast<int>(exit);
}
