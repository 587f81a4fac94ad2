#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/scene/gaussians/model_transform.h>
#include <splatwright/view/render_modes.h>
#include "viewer/scene/camera_path.h"
#include "viewer/scene/mode_ranges.h"
#include "viewer/scene/scene_aids.h"

namespace splat::app {

inline constexpr std::string_view kProjectEnding = ".splatproject";

/// So many splats of a model, one after the other, with these flags (shared::kMarkSelected and others).
struct MarkRun {
    uint32_t count = 0;
    uint8_t flags = 0;

    bool operator==(const MarkRun&) const = default;
};

std::vector<MarkRun> runsOf(std::span<const uint8_t> flags);
/// The inverse; empty unless there are `count` in all.
std::vector<uint8_t> flagsOf(std::span<const MarkRun> runs, uint32_t count);

struct ProjectModel {
    std::filesystem::path file;
    std::string name;
    bool visible = true, locked = false;
    ModelTransform transform;
    std::vector<MarkRun> marks;  ///< of the file's splats; empty: none has any
};

struct ProjectTraining {
    std::filesystem::path data;        ///< the dataset
    std::filesystem::path run;         ///< folder of the run's files; empty: none
    std::filesystem::path checkpoint;  ///< to go on from, if it exists
    std::string format;                ///< DatasetOptions::format
    nlohmann::json settings;
};

/// Where the user looks from, and how.
struct ProjectCamera {
    Pose pose;
    glm::dvec3 up{0, -1, 0};
    bool fly = false, orthographic = false;
};

/// What the viewer has open.
struct Project {
    std::filesystem::path savedAs;  ///< of an autosave: the project's file; empty: it has none
    std::vector<ProjectModel> models;
    std::optional<ProjectTraining> training;
    ProjectCamera camera;
    std::vector<Pose> bookmarks;
    std::vector<PathKey> path;
    RenderSettings picture;
    ModeRanges::Locks ranges;
    SceneAids aids;
};

/// The project as JSON. Paths below the folder are relative to it, so that both can be moved together. Throws InputError for a path that is not UTF-8.
std::string projectText(Project project, const std::filesystem::path& folder);

/// Throws InputError naming the file.
Project readProject(const std::filesystem::path& file);

/// Folder beside a project's file for what no other file holds: copies of models, and training.
std::filesystem::path projectFolder(const std::filesystem::path& file);
bool isProjectFolder(const std::filesystem::path& folder);

}  // namespace splat::app
