#include <splatwright/core/temporary_folder.h>
#include <splatwright/scene/formats/sog/streamed_sog.h>
#include "../scene/streamed_sog_samples.h"
#include "memory_file.h"

namespace {

/// A streamed SOG whose list is the input. Its files are there.
struct Scene {
    Scene() {
        splat::test::writeStreamedSample(path);
        std::filesystem::remove(path);
        std::filesystem::create_symlink(list.path(), path);
    }

    const splat::fuzz::MemoryFile list{"list"};
    const splat::TemporaryFolder folder{"splat-fuzz"};
    const std::filesystem::path path = folder.path() / splat::kStreamedSogList;
};

}  // namespace

/// A list, or an archive in its place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Scene scene;
    scene.list.put(data, size);
    try {
        const splat::StreamedSog streamed(scene.path);
        for (uint32_t level = 0; level < streamed.levels(); ++level) streamed.readLevel(level);
    } catch (const splat::InputError&) {
    }
    return 0;
}
