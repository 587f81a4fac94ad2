#pragma once

#include <string>
#include <string_view>

namespace splat {

/// The word as a shell reads it back: in quotes where it needs them. For POSIX shells, control characters and bytes beyond ASCII use the escapes of bash
/// and zsh ($'\n'). On Windows, variables in quotes (%NAME% of cmd.exe, $NAME of PowerShell) stay what they are.
std::string shellQuoted(std::string_view word);

}  // namespace splat
