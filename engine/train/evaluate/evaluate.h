#pragma once

#include <functional>
#include <span>
#include <vector>

#include <splatwright/render/renderer.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/evaluate/evaluation.h>

namespace splat {

class Lpips;

struct EvaluatedModel {
    const GaussianModel& gaussians;
    int shDegree = 0;
    glm::vec3 background{0};
};

/// Renders each view, rounds to 8 bits and compares with its image; masked pixels count as correct. Calls onRender(view, render) for every render.
/// With a network, throws InputError before the first render if an image is too small for it.
Evaluation evaluate(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs,
                    const std::function<void(size_t, const Image8&)>& onRender = {}, Lpips* lpips = nullptr);

/// What an equal image counts where the PSNRs of views are compared or averaged, dB.
inline constexpr double kMostInMean = 100;

/// The PSNR in dB of each view's render, at most kMostInMean, compared as evaluate() compares them. With coloursMatched, each render gets its view's
/// matchedColours() before.
std::vector<double> viewPsnrs(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs,
                              bool coloursMatched);

/// Evenly spaced indices below `count`, at most `atMost`.
std::vector<size_t> spreadEvenly(size_t count, size_t atMost);

/// Maximum number of rows of a comparison strip.
inline constexpr size_t kStripRows = 4;

/// Labelled image with ground truth, render and error map of up to kStripRows views, one per row.
Image8 comparisonStrip(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs);

}  // namespace splat
