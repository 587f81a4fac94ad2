#pragma once

#include <functional>
#include <span>
#include <vector>

#include <splatwright/render/renderer.h>
#include <splatwright/scene/dataset.h>
#include <splatwright/train/evaluate/evaluation.h>

namespace splat {

struct EvaluatedModel {
    const GaussianModel& gaussians;
    int shDegree = 0;
    glm::vec3 background{0};
};

/// Renders each photograph's view, rounds it to 8 bits and compares; what a mask hides counts as right. `onRender(view, render)` sees every picture.
Evaluation evaluate(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs,
                    const std::function<void(size_t, const Image8&)>& onRender = {});

/// At most so many of `count` indices, spread evenly.
std::vector<size_t> spreadEvenly(size_t count, size_t atMost);

/// Rows of a comparison strip.
inline constexpr size_t kStripRows = 4;

/// Ground truth, render and error map of up to kStripRows of the views below one another, labelled.
Image8 comparisonStrip(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs);

}  // namespace splat
