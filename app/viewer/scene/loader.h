#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/core/names.h>
#include <splatwright/render/kinds/model_kind.h>
#include "viewer/scene/fitted_picture.h"
#include "viewer/scene/project.h"

namespace splat::app {

/// A model of a project that is being opened.
struct ReopenedModel {
    ProjectModel model;
    bool isOwn = false;  ///< its file is in the projectFolder()
};

/// A loaded file, or the reason for its failure.
struct LoadedSplats {
    std::filesystem::path path;
    ModelFile model;
    std::optional<FittedPicture> picture;  ///< what the model is made of, if it is one
    std::optional<uint32_t> step;          ///< of a checkpoint
    std::optional<ReopenedModel> reopened;
    std::string problem;  ///< empty: none
};

/// Loads splat files on other threads.
class Loader {
public:
    void open(const std::filesystem::path& path, std::optional<ReopenedModel> reopened = {});
    /// The next file once it is loaded, in the order of opening.
    std::optional<LoadedSplats> poll();
    bool busy() const { return !reading_.empty(); }
    /// The files being loaded.
    std::string waitingFor() const { return busy() ? escapedName(reading_.front().path.filename().string()) : ""; }

private:
    struct Reading {
        std::filesystem::path path;
        std::optional<ReopenedModel> reopened;
        std::future<LoadedSplats> result;
    };
    std::vector<Reading> reading_;
};

}  // namespace splat::app
