// Ctrl-C, Ctrl-Break and a console that is closed, as a process is told of them.
#include "console_event_windows.h"

#include <array>
#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/core/platform/machine.h>
#include <splatwright/core/platform/pipes.h>
#include <splatwright/core/platform/process.h>
#include <splatwright/core/platform/stop_requests.h>

namespace splat {
namespace {

using namespace std::chrono_literals;
using platform::StopRequest;

/// What this program said as another test that is told of an event, and its exit code; -1 if it went on.
struct Told {
    std::string said;
    int code = -1;
};

Told tellOf(DWORD event, const std::string& name) {
    platform::Pipes pipes(false);
    platform::Process process({testing::internal::GetArgvs()[0], "--gtest_also_run_disabled_tests", "--gtest_filter=" + name},
                              pipes.programs());
    pipes.closePrograms();
    Told told;
    bool asked = false;
    const auto take = [&](std::span<const std::byte> bytes) {
        told.said.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const auto until = std::chrono::steady_clock::now() + 20s;
    while (!process.ended() && std::chrono::steady_clock::now() < until) {
        pipes.exchange({.output = take, .errors = take, .input = {}}, 50ms);
        if (!asked && told.said.find("ready") != std::string::npos) asked = test::tellOfConsoleEvent(process.id(), event).isOpen();
    }
    if (process.ended())
        told.code = process.ending().code;
    else
        process.endGroup(platform::Process::Force::kill);
    return told;
}

/// What another test of this program does. A process that the engine starts ignores Ctrl-C, in Wine 8 all events.
void listen() {
    SetConsoleCtrlHandler(nullptr, FALSE);
    std::cout << "ready\n" << std::flush;
    for (int i = 0; i < 6000 && platform::StopRequests::first() == StopRequest::none; ++i) std::this_thread::sleep_for(10ms);
}

TEST(DISABLED_Listener, NotesEvents) {
    {
        const platform::StopRequests requests;
        listen();
    }
    std::_Exit(128 + static_cast<int>(platform::StopRequests::first()));
}

TEST(DISABLED_Listener, NotesNoneAnyMore) {
    { const platform::StopRequests requests; }
    listen();
    std::_Exit(77);
}

TEST(ConsoleEvents, AreRequestsToEnd) {
    for (const auto& [event, request] : {std::pair<DWORD, StopRequest>{CTRL_C_EVENT, StopRequest::interrupt},
                                         {CTRL_BREAK_EVENT, StopRequest::terminate},
                                         {CTRL_CLOSE_EVENT, StopRequest::hangUp},
                                         {CTRL_LOGOFF_EVENT, StopRequest::hangUp},
                                         {CTRL_SHUTDOWN_EVENT, StopRequest::hangUp}}) {
        const Told told = tellOf(event, "DISABLED_Listener.NotesEvents");
        EXPECT_EQ(told.code, 128 + static_cast<int>(request)) << "event " << event << ": " << told.said;
    }
}

TEST(ConsoleEvents, EndAProcessThatNotesNoneAnyMore) {
    for (const DWORD event : std::array<DWORD, 3>{CTRL_C_EVENT, CTRL_BREAK_EVENT, CTRL_CLOSE_EVENT}) {
        const int code = tellOf(event, "DISABLED_Listener.NotesNoneAnyMore").code;
        EXPECT_TRUE(code == static_cast<int>(STATUS_CONTROL_C_EXIT) || code == 0) << "event " << event << ": " << code << "; Wine 8 has 0";
    }
}

/// Windows ends the process as soon as the handler has returned: this thread stays until then.
TEST(ConsoleEvents, OfAClosedConsoleAreWaitedOut) {
    const platform::StopRequests requests;
    const platform::File thread = test::tellOfConsoleEvent(platform::thisProcess(), CTRL_CLOSE_EVENT);
    for (int i = 0; i < 500 && platform::StopRequests::first() == StopRequest::none; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_EQ(platform::StopRequests::first(), StopRequest::hangUp);
    EXPECT_EQ(WaitForSingleObject(platform::handleOf(thread), 300), WAIT_TIMEOUT);
}

}  // namespace
}  // namespace splat
