#pragma once

#include <cstdint>
#include <string>

namespace splat::app {

/// A count with separators between thousands: 1234567 as "1,234,567".
std::string grouped(uint64_t count);

}  // namespace splat::app
