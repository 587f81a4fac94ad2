#pragma once

#include <filesystem>
#include <string>

namespace splat {

/// Quotes text as one word for a POSIX shell; unprintable bytes use the escapes of bash and zsh ($'\x1b').
std::string shellQuoted(const std::string& text);

/// Advice for a path with images or a video but no camera poses: the command that finds them and trains, on a line of its own, indented by four
/// spaces. Starts with a line break; empty for any other path.
std::string adviceOnMissingPoses(const std::filesystem::path& path);

}  // namespace splat
