#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "render/renderer.h"
#include "scene/dataset.h"

namespace splat {

struct ViewScore {
    std::string name;
    double psnr = 0;  ///< dB; infinite for equal pictures
    double ssim = 0;
};

/// How near renders come to photographs. The means are those of the views; NaN without any.
struct Evaluation {
    std::vector<ViewScore> views;
    double psnr = 0;
    double ssim = 0;
};

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

/// Ground truth, render and error map of a few of the views below one another, labelled.
Image8 comparisonStrip(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs);

}  // namespace splat
