#include "inputs.h"

#include <cmath>

#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/synth/synth.h>

namespace splat::test {

namespace {

namespace fs = std::filesystem;

Gaussians cloud(size_t count, int degree, uint64_t seed) {
    Rng rng(seed);
    Gaussians g;
    g.resize(count, degree);
    for (size_t i = 0; i < count; ++i) {
        g.means[i] = glm::vec3(rng.normal(), rng.normal(), rng.normal());
        g.rotations[i] = {static_cast<float>(rng.normal()), static_cast<float>(rng.normal()), static_cast<float>(rng.normal()), 1};
        g.logScales[i] = glm::vec3(-3) + 0.5F * glm::vec3(rng.normal(), rng.normal(), rng.normal());
        g.logitOpacities[i] = static_cast<float>(2 * rng.normal());
    }
    for (glm::vec3& coefficient : g.sh) coefficient = 0.3F * glm::vec3(rng.normal(), rng.normal(), rng.normal());
    return g;
}

fs::path nameOf(const SplatWriter& writer) {
    return writer.fileName ? fs::path(writer.name) / writer.fileName
                           : fs::path(std::string(writer.name) + std::string(splatFormatOf(writer).extension));
}

}  // namespace

Inputs::Inputs(const fs::path& folder) {
    fs::create_directories(folder);
    const Gaussians small = cloud(300, 1, 1);
    for (const SplatWriter* writer : splatWriters()) {
        const fs::path path = folder / nameOf(*writer);
        fs::create_directories(path.parent_path());
        writer->write(path, small);
        splats.push_back(path);
        const std::string whole = readTextFile(path);
        broken.push_back(folder / "broken" / nameOf(*writer));
        fs::create_directories(broken.back().parent_path());
        writeFileAtomically(broken.back(), whole.substr(0, whole.size() * 2 / 3));
    }
    splats.push_back(folder / "larger.ply");
    writeSplats(splats.back(), cloud(3000, 3, 2));
    splats.push_back(folder / "one.ply");
    writeSplats(splats.back(), cloud(1, 0, 3));
    const auto add = [&](const char* name, const std::string& text) {
        broken.push_back(folder / "broken" / name);
        writeFileAtomically(broken.back(), text);
    };
    add("empty.ply", "");
    add("text.txt", "no splats\n");
    add("list.splatproject", "[1, 2");
    add("none.splatproject", "{}");
    broken.push_back(folder / "absent.ply");
    fs::create_directories(folder / "broken/no photographs");
    broken.push_back(folder / "broken/no photographs");
    dataset = folder / "dataset";
    SynthOptions synth;
    synth.views = 6;
    synth.width = 32;
    synth.height = 24;
    writeSynthDataset(dataset, synth);
    fs::create_directories(folder / "photographs");
    for (int i = 0; i < 3; ++i) writePng(folder / "photographs" / (std::to_string(i) + ".png"), Image8(32, 24, 3));
    others = {dataset, dataset, folder / "photographs", folder / "photographs/0.png", dataset / "transforms.json"};
    fs::copy(dataset, folder / "broken/dataset", fs::copy_options::recursive);
    fs::remove_all(folder / "broken/dataset/images");
    broken.push_back(folder / "broken/dataset");
}

}  // namespace splat::test
