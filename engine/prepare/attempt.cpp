#include <splatwright/prepare/attempt.h>

#include <algorithm>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/tools.h>
#include <splatwright/prepare/scene_frame.h>
#include <splatwright/prepare/snapshots.h>

namespace splat::prepare {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr size_t kMostExhaustive = 250;  // photographs whose pairs are all matched: 31,125 pairs
constexpr size_t kOverlap = 10;          // neighbours on either side that a frame of a sequence is matched with; COLMAP's default
constexpr size_t kLoopFrames = 60;       // of a sequence that are matched with each other

Options operator+(Options a, const Options& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::vector<ExtractedImage> imagesIn(const json& result) {
    std::vector<ExtractedImage> images;
    for (const json& each : result) images.push_back({each.at(0), each.at(1), each.at(2)});
    return images;
}

}  // namespace

const std::vector<Effort>& efforts() {
    static const std::vector<Effort> kEfforts{
        {.name = "usual", .does = "COLMAP's defaults", .features = {}, .matches = {}, .mapping = {}},
        {.name = "thorough",
         .does = "weaker features, guided matching and only points that fit within 1.5 pixels",
         .features = {{{"SiftExtraction.peak_threshold"}, "0.001"}, {{"SiftExtraction.edge_threshold"}, "20"}},
         .matches = {{{"SiftMatching.guided_matching", "FeatureMatching.guided_matching"}, "1"}},
         .mapping = {{{"Mapper.filter_max_reproj_error"}, "1.5"},
                     {{"Mapper.tri_complete_max_reproj_error"}, "1.5"},
                     {{"Mapper.tri_merge_max_reproj_error"}, "1.5"}}},
    };
    return kEfforts;
}

bool isMatchedInSequence(const PosesInput& input) { return input.sequence || input.photographs.size() > kMostExhaustive; }

std::string loopPairs(const std::vector<Photograph>& photographs) {
    const size_t n = photographs.size(), step = (n + kLoopFrames - 1) / kLoopFrames;
    std::string pairs;
    for (size_t a = 0; a < n; a += step) {
        for (size_t b = a + step; b < n; b += step) {
            if (b - a > kOverlap) pairs += photographs[a].name + ' ' + photographs[b].name + '\n';
        }
    }
    return pairs;
}

Options Attempt::matching() const {
    return Options{database(), {{"SiftMatching.use_gpu", "FeatureMatching.use_gpu"}, onGpu()}} + effort_.matches;
}

/// Of a photograph: as it is known, or the lens whose parameters are found.
Options Attempt::camera(const std::string& name) const {
    if (!input_.known) return {{{"ImageReader.camera_model"}, input_.cameraModel, true}};
    const auto image = std::ranges::find(input_.known->images, name, &ModelImage::name);
    SPLAT_CHECK(image != input_.known->images.end(), "{}", name);
    const auto camera = std::ranges::find(input_.known->cameras, image->camera, &ModelCamera::id);
    return {{{"ImageReader.camera_model"}, std::string(findLensModel(camera->model)->name), true},
            {{"ImageReader.camera_params"}, fmt::format("{}", fmt::join(camera->parameters, ",")), true}};
}

std::vector<ExtractedImage> Attempt::extractFeatures() {
    if (auto done = stages_.read(stage("features"), key(), imagesIn)) return std::move(*done);
    for (const char* later : {"features", "matches", "mapping"}) stages_.forget(stage(later));
    std::error_code ignored;
    fs::remove_all(folder_, ignored);  // COLMAP would give photographs of a half-done extraction another camera
    fs::create_directories(folder_, ignored);
    std::vector<ExtractedImage> images = extractAnew();
    json result = json::array();
    for (const ExtractedImage& image : images) result.push_back({image.name, image.features, image.problem});
    stages_.finish(stage("features"), key(), result);
    return images;
}

std::vector<ExtractedImage> Attempt::extractAnew() {
    observer_.onStage(stage("features"), input_.photographs.size());
    ExtractedImages extracted;
    uint64_t before = 0;
    for (const std::vector<std::string>& group : cameraGroups(input_.photographs)) {
        std::string list;
        for (const std::string& name : group) list += name + '\n';
        writeFileAtomically(folder_ / "images.txt", list);
        Options options{database(),
                        images(),
                        {{"image_list_path"}, (folder_ / "images.txt").string(), true},
                        {{"ImageReader.single_camera"}, "1", true},
                        {{"SiftExtraction.use_gpu", "FeatureExtraction.use_gpu"}, onGpu()}};
        if (!input_.masks.empty()) options.push_back({{"ImageReader.mask_path"}, input_.masks.string()});
        const ChildResult result =
            colmap_.run("feature_extractor", options + camera(group.front()) + effort_.features, [&](std::string_view line) {
                extracted.add(line);
                if (const auto share = shareIn(line)) observer_.onProgress(before + share->done);
            });
        requireSuccess(result, "COLMAP's feature_extractor", input_.log);
        before += group.size();
    }
    return extracted.images();
}

void Attempt::match() {
    if (stages_.result(stage("matches"), key())) return;
    stages_.forget(stage("mapping"));
    if (isMatchedInSequence(input_)) {
        matchSequence();
    } else {
        const size_t n = input_.photographs.size(), pairs = n * (n - 1) / 2;
        // Smaller blocks than COLMAP's 50 show progress; larger ones read fewer features twice.
        const size_t block = std::clamp<size_t>(n / 8, 5, 50);
        observer_.onStage(stage("matches"), pairs);
        runMatcher("exhaustive_matcher", matching() + Options{{{"ExhaustiveMatching.block_size"}, std::to_string(block)}}, pairs);
    }
    stages_.finish(stage("matches"), key(), true);
}

void Attempt::matchSequence() {
    const size_t n = input_.photographs.size();
    observer_.onStage(stage("matches"), n);
    runMatcher("sequential_matcher", matching() + Options{{{"SequentialMatching.overlap"}, std::to_string(kOverlap)}}, n);
    const std::string pairs = loopPairs(input_.photographs);
    if (pairs.empty()) return;
    const fs::path list = folder_ / "pairs.txt";
    writeFileAtomically(list, pairs);
    const auto count = static_cast<uint64_t>(std::ranges::count(pairs, '\n'));
    observer_.onStage(stage("loops"), count);
    runMatcher("matches_importer", matching() + Options{{{"match_list_path"}, list.string(), true}, {{"match_type"}, "pairs", true}},
               count);
}

/// COLMAP says which of its blocks are done: they are shown as their share of `total`.
void Attempt::runMatcher(const std::string& command, const Options& options, uint64_t total) {
    const ChildResult result = colmap_.run(command, options, [&](std::string_view line) {
        if (const auto share = shareIn(line)) observer_.onProgress(total * share->done / share->total);
    });
    requireSuccess(result, "COLMAP's " + command, input_.log);
}

std::set<uint32_t> Attempt::map() {
    const auto asNumbers = [](const json& result) { return result.get<std::set<uint32_t>>(); };
    if (auto done = stages_.read(stage("mapping"), key(), asNumbers)) return std::move(*done);
    const fs::path models = folder_ / "sparse";
    std::error_code ignored;
    fs::remove_all(models, ignored);
    fs::create_directories(models, ignored);
    observer_.onStage(stage("mapping"), input_.photographs.size());
    std::set<uint32_t> tried;
    const ChildResult result = runMapper(models, tried);
    // 3.8: "failed to create sparse model", 4.0: "Failed to create any sparse model".
    const bool foundNone = result.signal == 0 && result.lastLines.find("ailed to create") != std::string::npos;
    if (!foundNone) requireSuccess(result, "the mapper", input_.log);
    stages_.finish(stage("mapping"), key(), tried);
    return tried;
}

ChildResult Attempt::runMapper(const fs::path& models, std::set<uint32_t>& tried) {
    const Options paths{database(), images(), {{"output_path"}, models.string(), true}};
    if (input_.mapper == Mapper::incremental) {
        std::optional<Snapshots> snapshots;
        if (observer_.watchesScene()) snapshots.emplace(folder_ / "snapshots", input_.photographs.size());
        // COLMAP's 10 would drop what it finds second among few photographs.
        const Options least{{{"Mapper.min_model_size"}, std::to_string(kFewestPhotographs)}};
        const auto onLine = [&](std::string_view line) {
            const auto registering = registeringIn(line);
            if (!registering) return;
            tried.insert(registering->image);
            observer_.onProgress(registering->registered);
            if (!snapshots) return;
            if (auto model = snapshots->take()) show(std::move(*model));
        };
        return colmap_.run("mapper", paths + least + effort_.mapping + (snapshots ? snapshots->options() : Options{}), onLine);
    }
    if (colmap_.hasCommand("global_mapper")) return colmap_.run("global_mapper", paths);
    std::vector<std::string> arguments{requireTool("glomap").string(), "mapper"};
    for (const ColmapOption& option : paths) arguments.insert(arguments.end(), {"--" + option.names.front(), option.value});
    return runChild({.arguments = arguments, .log = input_.log, .check = [this] { observer_.check(); }});
}

/// COLMAP moves and scales its model as it grows: each is shown in the frame that a dataset made of it would have.
void Attempt::show(Model model) {
    if (model.images.empty()) return;
    apply(sceneFrame(model, input_.up).similarity, model);
    SparseScene scene;
    for (const ModelImage& image : model.images) scene.cameras.push_back(lensOf(model, image).camera());
    for (const ModelPoint& point : model.points) scene.points.push_back({point.position, point.colour});
    observer_.onScene(scene);
}

std::vector<Model> Attempt::readModels() const {
    std::vector<Model> models;
    for (const auto& entry : fs::directory_iterator(folder_ / "sparse")) {
        if (hasModel(entry.path())) models.push_back(readModel(entry.path()));
    }
    return models;
}

std::optional<Poses> Attempt::poses() {
    const std::vector<ExtractedImage> extracted = extractFeatures();
    match();
    const std::set<uint32_t> tried = map();
    std::vector<Model> models = readModels();
    const auto best =
        std::ranges::max_element(models, {}, [](const Model& model) { return std::pair(model.images.size(), model.points.size()); });
    if (best == models.end() || best->images.empty()) return std::nullopt;
    const auto index = static_cast<size_t>(best - models.begin());
    return Poses{*best, reasonsOfUnregistered(input_.photographs, models, index, extracted, tried)};
}

Model Attempt::triangulated(const Model& known) {
    extractFeatures();
    match();
    const fs::path before = folder_ / "known", after = folder_ / "triangulated";
    std::error_code ignored;
    for (const fs::path& folder : {before, after}) fs::remove_all(folder, ignored);
    fs::create_directories(after, ignored);
    writeModel(before, known);
    observer_.onStage(stage("triangulation"), known.images.size());
    uint64_t done = 0;
    const Options options{database(),
                          images(),
                          {{"input_path"}, before.string(), true},
                          {{"output_path"}, after.string(), true},
                          {{"clear_points"}, "1", true}};  // images get the numbers that they have in the database
    const auto onLine = [&](std::string_view line) {
        if (line.starts_with("Triangulating image")) observer_.onProgress(++done);
    };
    requireSuccess(colmap_.run("point_triangulator", options, onLine), "COLMAP's point_triangulator", input_.log);
    return readModel(after);
}

}  // namespace splat::prepare
