#pragma once

#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/session/training_data.h>
#include "support/test_device.h"

namespace splat {

/// What a picture's training starts from.
inline Gaussians firstModel(const Photograph& picture, const TrainSettings& settings) {
    const TrainingData data;
    return trainedKind(settings).start({testDevice(), settings, data, [&](size_t) { return picture; }});
}

}  // namespace splat
