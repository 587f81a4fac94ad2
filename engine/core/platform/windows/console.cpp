#include <splatwright/core/platform/console.h>

#include <fcntl.h>
#include <io.h>
#include <cstdio>
#include <cstdlib>

#include <splatwright/core/platform/windows/api.h>

namespace splat::platform {

namespace {

UINT codePage = 0;  // the console's before this program

/// The console belongs to the shell as well, which goes on with it.
void restoreCodePage() { SetConsoleOutputCP(codePage); }

void showUtf8() {
    codePage = GetConsoleOutputCP();
    if (codePage == 0 || codePage == CP_UTF8) return;  // no console, or nothing to do
    SetConsoleOutputCP(CP_UTF8);
    std::atexit(restoreCodePage);
}

void showColours(DWORD stream) {
    const HANDLE handle = GetStdHandle(stream);
    DWORD mode = 0;
    if (GetConsoleMode(handle, &mode)) SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

}  // namespace

void prepareStreams() {
    // The same bytes as on other systems: no carriage returns before line breaks.
    for (FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
    for (const DWORD stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) showColours(stream);
    showUtf8();
    SetErrorMode(SEM_FAILCRITICALERRORS);  // an error instead of a dialog where a drive has no disk
}

bool ownsConsole() {
    DWORD processes[2];
    return GetConsoleProcessList(processes, 2) == 1;
}

bool isTerminal() {
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

size_t terminalColumns() {
    CONSOLE_SCREEN_BUFFER_INFO about{};
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &about)) return 80;
    return static_cast<size_t>(about.srWindow.Right - about.srWindow.Left + 1);
}

}  // namespace splat::platform
