#pragma once

#include <splatwright/gpu/device.h>
#include <splatwright/train/session/training_data.h>

namespace splat::app {

struct RunPlan;

// What `train` says on standard error before its first step, through the log, so that -q silences it.

/// What is trained on and where the results go: at once, before anything is read.
void tellStart(const RunPlan& plan);

/// The device, with a warning of what to expect where it is a CPU, and the settings that differ from their defaults.
void tellDevice(const gpu::Device& device, const RunPlan& plan);

/// Format, views, sizes as trained and points of the dataset.
void tellDataset(const TrainingData& data);

/// The picture's size.
void tellPicture(const TrainingData& data);

}  // namespace splat::app
