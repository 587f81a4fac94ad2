#include <splatwright/scene/datasets/datasets.h>
#include "memory_file.h"

namespace splat {
extern const DatasetFormat kTransformsDataset;
}

/// The reader takes a path by its ending, which a file in memory has not.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    namespace fs = std::filesystem;
    static const splat::fuzz::MemoryFile file("transforms");
    static const fs::path link = [] {
        const fs::path path = fs::temp_directory_path() / fmt::format("splat-fuzz-{}.json", getpid());
        fs::remove(path);
        fs::create_symlink(file.path(), path);
        return path;
    }();
    file.put(data, size);
    try {
        splat::kTransformsDataset.load(link, {});
    } catch (const splat::InputError&) {
    }
    return 0;
}
