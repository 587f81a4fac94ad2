#include <splatwright/core/platform/stop_requests.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include <splatwright/core/platform/windows/api.h>

namespace splat::platform {

namespace {

std::atomic<bool> noted = false;  // whether requests are only noted

/// Windows calls it on a thread of its own.
BOOL WINAPI onControl(DWORD event) {
    if (!noted) return FALSE;                                                    // Windows ends the process
    if (event == CTRL_C_EVENT) return !noteStopRequest(StopRequest::interrupt);  // else Windows ends the process
    if (event == CTRL_BREAK_EVENT) {
        noteStopRequest(StopRequest::terminate);
        return TRUE;
    }
    // The console closes, or the user logs off: Windows ends the process when this returns, so the end of main() must come first.
    noteStopRequest(StopRequest::hangUp);
    Sleep(INFINITE);
    return TRUE;
}

void CALLBACK onAsked(void* /*unused*/, BOOLEAN /*timedOut*/) { noteStopRequest(StopRequest::terminate); }

}  // namespace

std::wstring stopEventOf(unsigned long process) { return L"Local\\splatwright-stop-" + std::to_wstring(process); }

/// Who has no console to send a Ctrl-Break through sets the event.
struct StopRequests::Handlers {
    File event{reinterpret_cast<intptr_t>(CreateEventW(nullptr, TRUE, FALSE, stopEventOf(GetCurrentProcessId()).c_str()))};
    HANDLE wait = nullptr;

    Handlers() { RegisterWaitForSingleObject(&wait, handleOf(event), onAsked, nullptr, INFINITE, WT_EXECUTEONLYONCE); }
    ~Handlers() { UnregisterWaitEx(wait, INVALID_HANDLE_VALUE); }
    Handlers(const Handlers&) = delete;
    Handlers& operator=(const Handlers&) = delete;
};

StopRequests::StopRequests() {
    forgetStopRequests();
    noted = true;
    // Never taken back: a system that waits in onControl for the end of main() holds the lock that removing it needs (Wine 8 does).
    [[maybe_unused]] static const BOOL registered = SetConsoleCtrlHandler(onControl, TRUE);
    before_ = std::make_unique<Handlers>();
}

StopRequests::~StopRequests() {
    before_.reset();
    noted = false;
}

void stopThisProcess() {
    if (noted)
        noteStopRequest(StopRequest::terminate);
    else
        std::_Exit(128 + static_cast<int>(StopRequest::terminate));
}

}  // namespace splat::platform
