#include <splatwright/scene/synth/synth.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/datasets/transforms_writer.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/synth/colmap_writer.h>
#include <splatwright/scene/synth/colour_changes.h>
#include <splatwright/scene/synth/depths.h>
#include <splatwright/scene/synth/picture.h>
#include <splatwright/scene/synth/points.h>
#include <splatwright/scene/synth/region.h>
#include <splatwright/scene/synth/transients.h>
#include <splatwright/scene/synth/walk.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxSide = 8192;  // pixels; the largest image that the renderer supports

void checkRange(const char* what, int value, int low, int high) {
    if (value < low || value > high) throw InputError("synth: {} is {}, expected {} to {}", what, value, low, high);
}

void checkOptions(const SynthOptions& options, const synth::Scene& scene) {
    checkRange("the number of views", options.views, 1, kMaxSynthViews);
    checkRange("the width", options.width, 1, kMaxSide);
    checkRange("the height", options.height, 1, kMaxSide);
    checkRange("the region's share of the views", options.regionShare, 0, 100);
    checkRange("the share of views with transients", options.transients, 0, 100);
    if (options.regionShare > 0 && !scene.region)
        throw InputError("synth: the region's share of the views is {} % in the scene '{}', expected 0: it has no region",
                         options.regionShare, options.scene);
    if (options.depths && findSynthLens(options.camera).of == synth::panoramaLens)
        throw InputError("synth: depth maps are wanted of panoramas, expected another camera: they are distances along a view's axis");
    if (!(options.colourChanges >= 0 && options.colourChanges <= 1))
        throw InputError("synth: the colour changes are {}, expected 0 to 1", options.colourChanges);
}

/// The output folder without symbolic links or a trailing slash, so that a temporary folder can be created beside it.
fs::path resolveVacant(const fs::path& out) {
    std::error_code failed;
    fs::path resolved = fs::weakly_canonical(fs::absolute(out, failed), failed);
    if (failed || out.empty()) throw InputError("{}: not a usable path: {}", out.string(), failed.message());
    requireUsableName(out);
    if (!resolved.has_filename()) resolved = resolved.parent_path();
    const auto kind = fs::status(resolved, failed).type();
    if (kind == fs::file_type::not_found) return resolved;
    if (kind != fs::file_type::directory)
        throw InputError("{}: exists and is not a folder; expected a new or an empty folder", out.string());
    const bool vacant = fs::is_empty(resolved, failed);
    if (failed) throw InputError("{}: cannot be listed: {}", out.string(), failed.message());
    if (!vacant) throw InputError("{}: the folder is not empty; expected a new or an empty folder", out.string());
    return resolved;
}

/// A temporary folder that is deleted unless it is moved to its final path.
class Staging {
public:
    explicit Staging(const fs::path& destination) : destination_(destination), folder_(temporaryBeside(destination)) { create(folder_); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    fs::path makeFolder(const char* name) const { return create(folder_ / name); }
    const fs::path& folder() const { return folder_; }

    void publish() const {
        std::error_code failed;
        if (fs::is_directory(destination_, failed)) fs::remove(destination_, failed);  // if empty: Windows does not replace it
        fs::rename(folder_, destination_, failed);
        if (failed) throw Error("{}: cannot be written: {}", destination_.string(), failed.message());
    }

private:
    static fs::path create(const fs::path& folder) {
        std::error_code failed;
        fs::create_directories(folder, failed);
        if (failed) throw Error("{}: cannot be created: {}", folder.string(), failed.message());
        return folder;
    }

    fs::path destination_;
    fs::path folder_;
};

}  // namespace

const SynthScene& findSynthScene(std::string_view name) {
    std::string known;
    for (const SynthScene& scene : kSynthScenes) {
        if (scene.name == name) return scene;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", scene.name);
    }
    throw InputError("synth: scene is '{}', expected one of: {}", name, known);
}

void writeSynthDataset(const fs::path& out, const SynthOptions& options, const std::function<void(size_t, size_t)>& progress) {
    const SynthScene& row = findSynthScene(options.scene);
    const SynthLens& kind = findSynthLens(options.camera);
    // Scene, cameras and points have separate random generators, so that changes to one do not affect the others.
    Rng rng(options.seed);
    const synth::Scene scene = row.build(rng.next());
    checkOptions(options, scene);
    const Staging staging(resolveVacant(out));
    const fs::path images = staging.makeFolder("images");
    const fs::path model = staging.makeFolder("sparse/0");

    auto cameras = synth::sceneCameras(scene, options.views, options.width, options.height, rng.next());
    auto points = synth::surfacePoints(scene, cameras, rng.next());
    if (options.regionShare > 0) synth::addRegion(scene, options.regionShare, rng.next(), cameras, points);
    const uint64_t colourSeed = rng.next();
    Rng depthRng(rng.next());
    Rng transientRng(rng.next());
    const fs::path depths = options.depths ? staging.makeFolder("depths") : fs::path();

    std::vector<Lens> lenses;
    for (const Camera& camera : cameras) lenses.push_back(kind.of(camera));
    std::vector<NamedCamera> inImages;
    std::vector<NamedCamera> inDataset;
    for (size_t i = 0; i < cameras.size(); ++i) {
        const std::string name = fmt::format("{:04}.png", i);
        Image8 picture = synth::renderPicture(scene, lenses[i]);
        if (!synth::isTestView(i)) synth::changeColours(picture, colourSeed + i, options.colourChanges);
        const uint64_t transientSeed = transientRng.next();
        const bool hasTransients = transientRng.uniform(0, 100) < options.transients;
        if (hasTransients && !synth::isTestView(i)) synth::addTransients(picture, transientSeed);
        writePng(images / name, picture);
        if (options.depths) writeGrey16(depths / name, synth::asEstimated(synth::renderInverseDepths(scene, lenses[i]), depthRng));
        inImages.push_back({name, lenses[i]});
        inDataset.push_back({"images/" + name, lenses[i]});
        if (progress) progress(i + 1, cameras.size());
    }
    writeColmapModel(model, inImages, points, options.depths ? synth::tracksOf(scene, lenses, points) : Tracks{});
    writeTransforms(staging.folder() / "transforms.json", inDataset);
    staging.publish();
}

}  // namespace splat
