#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/render/kinds/model_kind.h>
#include <splatwright/scene/cameras/named_view.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/view/render_modes.h>

namespace splat::app {

inline constexpr ImageSize kOrbitSize{800, 600};

/// What to render: splats, and the views of one of three sources.
struct RenderSource {
    std::string splats, data, camera;
    DatasetOptions reading;
    ImageSize size;      ///< 0x0: the views' own
    uint32_t orbit = 0;  ///< views; 0: not an orbit
    Split split = Split::test;
    int testEvery = 8;
    glm::vec3 background{0}, up{0, -1, 0};
    bool antialiased = false;
    uint32_t budget = 0;  ///< splats of a streamed model in a picture; 0: by the device's memory
    uint32_t live = 0;    ///< views of a streamed model per second, with the levels that are there by then; 0: waits for levels
    const RenderMode* mode = &renderModeByName("colour");
};

/// Splats and views to render, in one frame.
struct RenderScene {
    Gaussians gaussians;
    std::vector<NamedView> views;
    glm::vec3 background;
    ModelKind kind = {};
    double worldUnit = 1;              ///< length of the splats' own unit in that frame
    std::optional<Dataset> dataset{};  ///< whose views these are
    std::vector<size_t> datasetViews{};
    std::filesystem::path streamed{};  ///< splats that are not read as a whole; empty: none
    uint32_t budget = 0;               ///< RenderSource::budget
    uint32_t live = 0;                 ///< RenderSource::live
};

/// Throws InputError if the source is not exactly one, does not suit the mode, or cannot be read.
RenderScene readScene(const RenderSource& source);

}  // namespace splat::app
