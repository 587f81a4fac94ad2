#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <splatwright/prepare/poses.h>

namespace splat::prepare {

using Options = std::vector<ColmapOption>;

/// Options beyond COLMAP's defaults.
struct Effort {
    std::string name;
    std::string does;  ///< differently from the one before
    Options features, matches, mapping;
};

/// In the order in which they are made. The second finds five times as many, weaker features in smooth scenes, and keeps only points that fit well;
/// README.md has its figures.
const std::vector<Effort>& efforts();

/// Whether photographs are matched in the order of their names, with pairs that close loops, instead of all with all.
bool isMatchedInSequence(const PosesInput& input);

/// COLMAP's stages with one effort, in a folder of their own.
class Attempt {
public:
    Attempt(const Colmap& colmap, const PosesInput& input, const Effort& effort, Stages& stages, Observer& observer)
        : colmap_(colmap), input_(input), effort_(effort), stages_(stages), observer_(observer), folder_(input.work / effort.name) {}

    /// The model with most images; nothing if the mapper found none.
    std::optional<Poses> poses();
    /// The model with the points that its cameras see; its images are the input's photographs.
    Model triangulated(const Model& known);

private:
    std::string key() const { return input_.key + effort_.name; }
    std::string stage(const char* name) const { return std::string(name) + ' ' + effort_.name; }
    ColmapOption database() const { return {{"database_path"}, (folder_ / "database.db").string(), true}; }
    ColmapOption images() const { return {{"image_path"}, input_.images.string(), true}; }
    std::string onGpu() const { return colmap_.usesGpu() ? "1" : "0"; }
    Options matching() const;
    Options camera(const std::string& name) const;

    std::vector<ExtractedImage> extractFeatures();
    std::vector<ExtractedImage> extractAnew();
    void match();
    void matchSequence();
    void runMatcher(const std::string& command, const Options& options, uint64_t total);
    std::set<uint32_t> map();
    ChildResult runMapper(const std::filesystem::path& models, std::set<uint32_t>& tried);
    void show(Model model);
    std::vector<Model> readModels() const;

    const Colmap& colmap_;
    const PosesInput& input_;
    const Effort& effort_;
    Stages& stages_;
    Observer& observer_;
    std::filesystem::path folder_;
};

}  // namespace splat::prepare
