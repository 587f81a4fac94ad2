#include <splatwright/core/platform/console.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <csignal>

namespace splat::platform {

void prepareStreams() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGCHLD, SIG_DFL);  // ignored by some starters, which would hide how programs end that this one starts
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        // Opened the wrong way round, so that its use still fails.
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

bool ownsConsole() { return false; }

bool isTerminal() { return isatty(STDERR_FILENO) != 0; }

size_t terminalColumns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace splat::platform
