#pragma once

#include <chrono>

namespace splat::app {

/// Seconds of a steady clock.
inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace splat::app
