#pragma once

#include <string>

namespace splat::app {

/// Version of the program and commit of its build: "0.1.0+1a2b3c4d5e6f". Code that differs from its commit adds ".changed." and the hash of the
/// difference; outside of a git repository the commit is "unknown".
std::string programVersion();

}  // namespace splat::app
