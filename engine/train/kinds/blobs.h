#pragma once

#include <splatwright/train/model/optimizer.h>
#include <splatwright/train/model/trained_kind.h>
#include "kernels/update_blobs.h"

/// What the kinds of blobs have in common in training.
namespace splat {

/// How a picture's blobs are drawn by the strategy's settings. `name`: of their kind.
ModelKind pictureKind(std::string_view name, const TrainSettings& settings, glm::uvec2 size);

/// How many blobs there are at first.
uint32_t firstBlobs(const TrainSettings& settings, glm::uvec2 picture);

/// Records the kernel, whose constants the kind has set.
void recordBlobUpdate(gpu::Commands& commands, const UpdateJob& job, kernels::update_blobs kernel = {});

/// TrainedKindRow::splats: those that the picture shows as flat Gaussians.
Gaussians flatSplats(gpu::Device& device, const Trainer& trainer, const TrainingFrame& frame);

}  // namespace splat
