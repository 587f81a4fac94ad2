#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <splatwright/train/parts/step_part.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {

/// All that a row of the table of step parts makes its part from.
struct PartBench {
    PartBench(const TrainSettings& given, std::vector<Photograph> photographs, double extent)
        : settings(given),
          images(std::move(photographs)),
          store(testDevice(), 256, false),
          targets(testDevice(), images, uint64_t{1} << 30U),
          training{testDevice(), testSort(), settings, extent} {
        for (const Photograph& image : images) cameras.push_back(image.camera);
        views.push_back(testDevice().buffer<shared::ViewParameters>("views", cameras.size()));
    }

    std::unique_ptr<StepPart> part(std::string_view name, uint32_t number) {
        const StepPartRow& row = **std::ranges::find(stepPartTable(), name, &StepPartRow::name);
        return row.make({.training = training,
                         .store = store,
                         .targets = targets,
                         .cameras = cameras,
                         .views = views,
                         .size = {cameras[0].width, cameras[0].height},
                         .statusSlots = 4,
                         .number = number});
    }

    TrainSettings settings;
    std::vector<Photograph> images;
    GaussianStore store;
    Targets targets;
    DensifierInputs training;
    std::vector<Camera> cameras;
    std::vector<gpu::Buffer> views;
};

}  // namespace splat
