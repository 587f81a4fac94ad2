#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <splatwright/core/image.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/kinds/model_kind.h>
#include <splatwright/train/settings/settings.h>

namespace splat {

class KindResults;
class SessionData;
class Trainer;
struct Photograph;
struct TrainingData;
struct TrainingFrame;
struct UpdateJob;

/// What a model starts from.
struct KindStart {
    gpu::Device& device;
    const TrainSettings& settings;
    const TrainingData& data;                        ///< training images may have no pixels
    const std::function<Photograph(size_t)>& image;  ///< a training image with its pixels
};

/// A change of a training image before it is learnt.
using ImageChange = void (*)(Image8& image);
inline void keepImage(Image8&) {}

/// How a kind of model is trained, and what a run keeps of it. There is one for each ModelKindRow. One file defines a row, and the table lists the
/// row's name.
struct TrainedKindRow {
    std::string_view name;        ///< ModelKindRow::name
    SettingUse subject;           ///< what it is trained on
    double extent = 1;            ///< of scenes: rates of positions are relative to it
    bool measuresHealth = false;  ///< whether HealthMeter knows its parameters
    /// How the model is drawn that is trained on images of this size.
    ModelKind (*model)(const TrainSettings& settings, glm::uvec2 size);
    /// Throws InputError for settings of this kind alone that contradict others, whichever kind is trained.
    void (*check)(const TrainSettings& settings) = [](const TrainSettings&) {};
    ImageChange (*imageChange)(const TrainSettings& settings) = [](const TrainSettings&) -> ImageChange { return keepImage; };
    Gaussians (*start)(const KindStart& start);

    /// Records the projection's backward pass and a step of Adam.
    void (*recordUpdate)(gpu::Commands& commands, const UpdateJob& job);

    /// The usable ones as Gaussians in 3D, in the dataset's frame.
    Gaussians (*splats)(gpu::Device& device, const Trainer& trainer, const TrainingFrame& frame);
    std::unique_ptr<KindResults> (*results)(gpu::Device& device, const primitives::RadixSort& sort, const SessionData& data);
    std::span<const char* const> files = {};  ///< that its results write, beside those of every run
};

std::span<const TrainedKindRow* const> trainedKindTable();

/// Throws InputError listing the known names.
const TrainedKindRow& trainedKindByName(std::string_view name);

inline const TrainedKindRow& trainedKind(const ModelKind& kind) { return trainedKindByName(kind.row->name); }

/// Names of the kinds that are trained on a single picture.
std::span<const std::string_view> pictureKinds();

/// In messages: "views of a scene" or "a single picture".
std::string_view nameOf(SettingUse subject);

}  // namespace splat
