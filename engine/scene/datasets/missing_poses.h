#pragma once

#include <filesystem>
#include <string>

namespace splat {

/// The text as one word of a POSIX shell's command; bytes that a terminal does not show are written as bash and zsh read them ($'\x1b').
std::string shellQuoted(const std::string& text);

/// What to do where a path holds photographs or a video without camera poses: the commands of ffmpeg and COLMAP, as Debian packages them, that
/// make a dataset of them, one per line after four blanks. Starts with a line break; empty for any other path.
std::string adviceOnMissingPoses(const std::filesystem::path& path);

}  // namespace splat
