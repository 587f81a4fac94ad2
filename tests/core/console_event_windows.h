#pragma once

#include <cstdint>

#include <splatwright/core/platform/windows/api.h>

namespace splat::test {

/// Tells a process of an event of its console as Windows does it: on a new thread there, in the system's function that calls its handlers, which has
/// the same address in all processes. GenerateConsoleCtrlEvent takes no closed console, and fails in Wine 8. Returns the thread; not
/// open if there is none.
inline platform::File tellOfConsoleEvent(int64_t process, DWORD event) {
    using platform::fileOf, platform::handleOf;
    const auto routine = reinterpret_cast<LPTHREAD_START_ROUTINE>(
        reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernelbase.dll"), "CtrlRoutine")));
    const auto there = fileOf(OpenProcess(PROCESS_ALL_ACCESS, FALSE, static_cast<DWORD>(process)));
    if (!routine || !there.isOpen()) return {};
    void* const argument = reinterpret_cast<void*>(static_cast<uintptr_t>(event));  // NOLINT(performance-no-int-to-ptr)
    return fileOf(CreateRemoteThread(handleOf(there), nullptr, 0, routine, argument, 0, nullptr));
}

}  // namespace splat::test
