#include <splatwright/core/cache_folder.h>

#include <cstdlib>

namespace splat {

std::filesystem::path userCacheFolder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    const char* home = std::getenv("HOME");             // NOLINT(concurrency-mt-unsafe)
    if (cache && *cache == '/') return std::filesystem::path(cache) / "splatwright";  // the standard ignores relative paths
    if (home && *home) return std::filesystem::path(home) / ".cache" / "splatwright";
    return {};
}

}  // namespace splat
