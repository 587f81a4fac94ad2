#pragma once

#include <filesystem>
#include <string>

namespace splat {

/// Quotes text as one word for a POSIX shell; unprintable bytes are written as bash and zsh read them ($'\x1b').
std::string shellQuoted(const std::string& text);

/// Advice for a path with images or a video but no camera poses: the commands of ffmpeg and COLMAP (as packaged by Debian) that make a dataset,
/// one per line after four blanks. Starts with a line break; empty for any other path.
std::string adviceOnMissingPoses(const std::filesystem::path& path);

}  // namespace splat
