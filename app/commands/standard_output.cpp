#include "commands/standard_output.h"

#include <cerrno>
#include <cstdio>

namespace splat::app {

namespace {

int firstError = 0;

void flush() {
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && firstError == 0) firstError = errno != 0 ? errno : EIO;
}

}  // namespace

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
