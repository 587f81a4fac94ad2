#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/gpu/commands.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/extent.h>

namespace splat {

class Forward;
struct AccumulationRow;
struct BackwardJob;
struct DrawnBlob;
struct FrameBuffers;
struct GaussianModel;
struct ModelFile;
struct ModelKind;
struct ViewSelection;

/// The order of a tile's list.
enum class ListOrder {
    depth,
    index,  ///< of the model: the first Gaussian is in front
};

/// A picture of a model while it is recorded.
struct PictureJob {
    const GaussianModel& model;
    const FrameBuffers& frame;
    const ViewSelection& view;
    const std::function<void(gpu::Commands&)>& beside;  ///< Forward::Beside; may be empty
};

/// Part of a model that is copied into the buffers of Gaussians in 3D.
struct ModelCopy {
    const GaussianModel& from;
    const GaussianModel& to;
    uint32_t first = 0;  ///< in `to`
    uint32_t count = 0;
    int shDegree = 0;
};

/// A kind of model: what its numbers mean, how it is drawn and differentiated, and which files hold it. One file defines a row, and the table lists
/// the row's name. How it is trained is a TrainedKindRow.
struct ModelKindRow {
    std::string_view name;
    /// Its models are 2D Gaussians of a single picture: one camera shows all of it, and viewers do not widen its splats.
    bool picture = false;
    uint32_t parameters = 0;  ///< kKind of kernels that several kinds of blobs share
    ListOrder order = ListOrder::depth;
    /// Whether it has the attribute; the buffers of others are unused.
    bool (*has)(Attribute attribute);

    /// Writes FrameBuffers::projected and tileCounts.
    void (*recordProjection)(gpu::Commands& commands, const PictureJob& job);
    /// Draws the frame's lists into its colours and transmittances.
    void (*recordPicture)(const Forward& forward, gpu::Commands& commands, const PictureJob& job);
    /// Adds the gradients of the picture to BackwardBuffers::gradients.
    void (*recordBackward)(gpu::Device& device, gpu::Commands& commands, const AccumulationRow& row, const BackwardJob& job);

    /// Writes a model as Gaussians in 3D, which viewers draw. 3D filters are not applied.
    void (*recordCopy)(gpu::Commands& commands, const ModelCopy& copy);
    /// A model of these numbers for recordCopy(); none if they are Gaussians in 3D already.
    std::optional<GaussianModel> (*staged)(gpu::Device& device, const Gaussians& numbers, const ModelKind& kind);
    /// Extent of what recordCopy() writes.
    Extent (*extent)(const Gaussians& numbers, const ModelKind& kind);
    /// A blob as it is drawn; null unless `picture`.
    DrawnBlob (*drawnBlob)(const Gaussians& numbers, size_t index, const ModelKind& kind) = nullptr;

    /// Whether a file is surely of this kind; null: of none is that sure.
    bool (*isFile)(const std::filesystem::path& path) = nullptr;
    /// Throws InputError naming the path if the file cannot be read.
    ModelFile (*read)(const std::filesystem::path& path) = nullptr;
};

std::span<const ModelKindRow* const> modelKindTable();

/// Throws InputError listing the known names.
const ModelKindRow& modelKindByName(std::string_view name);

/// The kind of all models that nothing else is said of: Gaussians in 3D.
const ModelKindRow& gaussiansIn3d();

/// The demo's own kernels draw and differentiate its blobs.
struct DemoKernels {
    uint32_t faults = 0;       ///< those of the demo that are kept: bits shared::kDemo...
    bool clearsTwice = false;  ///< its gradients are cleared twice per step

    bool operator==(const DemoKernels&) const = default;
};

/// What a model is: its kind, and what only pictures have.
struct ModelKind {
    const ModelKindRow* row = &gaussiansIn3d();
    glm::vec2 size{1};    ///< of the picture, pixels
    bool summed = false;  ///< opacity * colour is summed in any order; else blended front to back
    float dilation = 0;   ///< added to both variances, square pixels of the picture
    std::optional<DemoKernels> demo = std::nullopt;

    bool operator==(const ModelKind&) const = default;
};

/// A model as a file holds it.
struct ModelFile {
    /// How the file wants to be seen.
    struct View {
        Camera camera;  ///< before the Gaussians of recordCopy()
        glm::vec3 background;
    };

    ModelKind kind;
    Gaussians numbers;         ///< as the model's buffers hold them
    std::optional<View> view;  ///< none: from anywhere
};

/// The kind whose reader takes the file, if any does.
const ModelKindRow& kindOfFile(const std::filesystem::path& path);
/// Reads the file by its kind. Throws InputError naming the path.
ModelFile readModel(const std::filesystem::path& path);

}  // namespace splat
