#include "display.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

namespace splat::test {

Display::Display() {
    int ends[2];
    if (pipe(ends) != 0) return;
    child_ = fork();
    if (child_ == 0) {
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        const std::string number = std::to_string(ends[1]);
        // Between two viewers it would start anew, and refuse the second one meanwhile.
        execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset", nullptr);
        _exit(127);
    }
    close(ends[1]);
    char text[16] = {};
    const ssize_t length = read(ends[0], text, sizeof(text) - 1);
    close(ends[0]);
    if (length > 0) name_ = ":" + std::to_string(std::atoi(text));
}

Display::~Display() {
    if (child_ <= 0) return;
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
}

}  // namespace splat::test
