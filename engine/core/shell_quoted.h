#pragma once

#include <string>
#include <string_view>

namespace splat {

/// The word as a POSIX shell reads it back: in quotes where it needs them; control characters and bytes beyond ASCII use the escapes of bash and zsh
/// ($'\n').
std::string shellQuoted(std::string_view word);

}  // namespace splat
