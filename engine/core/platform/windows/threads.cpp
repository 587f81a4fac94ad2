#include <splatwright/core/threads.h>

#include <splatwright/core/platform/windows/api.h>

namespace splat {

double threadMicroseconds() {
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user)) return 0;
    const auto microseconds = [](const FILETIME& time) {  // in units of 100 ns
        return (static_cast<double>(time.dwHighDateTime) * 4294967296.0 + static_cast<double>(time.dwLowDateTime)) * 0.1;
    };
    return microseconds(kernel) + microseconds(user);
}

}  // namespace splat
