#pragma once

#include <filesystem>

namespace splat {

/// Folder for files that may go at any time: `splatwright` in $XDG_CACHE_HOME, else in ~/.cache. Empty if the environment names neither.
std::filesystem::path userCacheFolder();

}  // namespace splat
