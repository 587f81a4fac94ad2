#include <array>

#include <splatwright/scene/datasets/datasets.h>
#include "memory_file.h"

namespace splat {
extern const DatasetFormat kColmapDataset;
}

namespace {

namespace fs = std::filesystem;

/// The three files of a text model, linked to files in memory from a folder of their own.
struct Model {
    std::array<splat::fuzz::MemoryFile, 3> files{splat::fuzz::MemoryFile("cameras"), splat::fuzz::MemoryFile("images"),
                                                 splat::fuzz::MemoryFile("points")};
    fs::path folder = fs::temp_directory_path() / fmt::format("splat-fuzz-model-{}", getpid());

    Model() {
        fs::remove_all(folder);
        fs::create_directories(folder / "sparse");
        const std::array names{"cameras.txt", "images.txt", "points3D.txt"};
        for (size_t i = 0; i < files.size(); ++i) fs::create_symlink(files[i].path(), folder / "sparse" / names[i]);
    }
    ~Model() {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
};

}  // namespace

/// Lines "---" divide the input into cameras.txt, images.txt and points3D.txt.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Model model;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    for (const splat::fuzz::MemoryFile& file : model.files) {
        const std::string_view part = rest.substr(0, rest.find("---\n"));
        file.put(reinterpret_cast<const uint8_t*>(part.data()), part.size());
        rest.remove_prefix(std::min(rest.size(), part.size() + 4));
    }
    try {
        splat::kColmapDataset.load(model.folder, {});
    } catch (const splat::InputError&) {
    }
    return 0;
}
