#include "commands/standard_output.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace splat::app {

namespace {

int firstError = 0;

void flush() {
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && firstError == 0) firstError = errno != 0 ? errno : EIO;
}

}  // namespace

void prepareStreams() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGCHLD, SIG_DFL);  // ignored by some starters, which would hide how programs end that this one starts
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        // Opened the wrong way round, so that its use still fails.
        if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void outputText(std::string_view text) {
    errno = 0;
    std::fwrite(text.data(), 1, text.size(), stdout);
    flush();
}

int outputError() {
    errno = 0;
    flush();
    return firstError;
}

}  // namespace splat::app
