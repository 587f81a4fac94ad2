#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/prepare/poses.h>
#include <splatwright/prepare/scene_frame.h>

namespace splat::prepare {

inline constexpr uint32_t kMostFrames = 5000;

struct Settings {
    std::filesystem::path input;     ///< a folder of photographs, or a video
    std::filesystem::path out;       ///< the dataset's folder
    uint32_t frames = 150;           ///< at most, of a video
    std::filesystem::path colmap{};  ///< the program; empty: the one on the PATH
    std::string cameraModel = "SIMPLE_RADIAL";
    Mapper mapper = Mapper::incremental;
    std::optional<KnownDistance> distance{};
    bool gps = false;      ///< lengths are metres and axes east, down and north, by the photographs' GPS positions
    bool force = false;    ///< replace what was made in `out` of another input; the user's own files stay in any case
    IsSkipped isResult{};  ///< names folders and pictures in `input` that are results of earlier work
};

struct Report {
    size_t photographs = 0, registered = 0, points = 0;
    double meanError = 0;                 ///< of the points' reprojection, pixels
    std::vector<LeftOut> leftOut{};       ///< files that cannot be used
    std::vector<LeftOut> unregistered{};  ///< photographs without a pose
    SceneFrame frame{};
};

/// Makes a dataset of photographs or a video: images/, sparse/0, transforms.json, transform.json and prepare.log. Finished stages are kept in
/// `.prepare`, with a record of the files that were made, and another call goes on from there. Throws InputError for an input that cannot be used or a
/// folder that holds something else, Error if a program fails.
Report prepareDataset(const Settings& settings, Observer& observer);

}  // namespace splat::prepare
