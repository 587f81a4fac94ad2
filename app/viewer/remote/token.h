#pragma once

#include <string>
#include <string_view>

namespace splat::app {

/// 128 bits of the system's random numbers, as 32 hexadecimal digits.
std::string randomToken();

/// Whether a text is the token, in a time that depends on the text's length alone.
bool isToken(std::string_view text, std::string_view token);

}  // namespace splat::app
