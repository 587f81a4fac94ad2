#include <splatwright/train/evaluate/evaluate.h>

#include <algorithm>
#include <functional>
#include <limits>

#include <splatwright/train/evaluate/flat_picture.h>
#include <splatwright/train/evaluate/lpips.h>
#include <splatwright/train/evaluate/matched_colours.h>
#include <splatwright/train/evaluate/metrics.h>
#include <splatwright/train/evaluate/strip.h>

namespace splat {

namespace {

Image8 renderView(Renderer& renderer, const EvaluatedModel& model, const Camera& camera) {
    return quantised(renderer.render(model.gaussians, camera, model.background, model.shDegree));
}

template <class Score>
double meanOf(const std::vector<ViewScore>& views, Score score) {
    if (views.empty()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (const ViewScore& view : views) sum += std::invoke(score, view);
    return sum / static_cast<double>(views.size());
}

}  // namespace

Evaluation evaluate(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs,
                    const std::function<void(size_t, const Image8&)>& onRender, Lpips* lpips) {
    if (lpips) {
        for (const Photograph& p : photographs) lpips->checkSize(p.name, p.image.width, p.image.height);
    }
    Evaluation evaluation;
    for (size_t i = 0; i < photographs.size(); ++i) {
        const Photograph& photograph = photographs[i];
        const Image8 render = renderView(renderer, model, photograph.camera);
        const Image8 expected = composited(photograph, model.background);
        const Image8 compared = masked(render, photograph);
        ViewScore& score = evaluation.views.emplace_back(ViewScore{photograph.name, psnr(compared, expected), ssim(compared, expected)});
        score.flatPsnr = psnr(masked(flatPicture(photograph, model.background), photograph), expected);
        if (lpips) score.lpips = lpips->distance(compared, expected);
        if (onRender) onRender(i, render);
    }
    evaluation.psnr = meanOf(evaluation.views, &ViewScore::psnr);
    evaluation.ssim = meanOf(evaluation.views, &ViewScore::ssim);
    if (!evaluation.views.empty())
        evaluation.flatPsnr = meanOf(evaluation.views, [](const ViewScore& view) { return view.flatPsnr.value(); });
    if (lpips) evaluation.lpips = meanOf(evaluation.views, [](const ViewScore& view) { return view.lpips.value(); });
    return evaluation;
}

std::vector<double> viewPsnrs(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs,
                              bool coloursMatched) {
    std::vector<double> psnrs;
    for (const Photograph& photograph : photographs) {
        const Image8 expected = composited(photograph, model.background);
        Image8 render = masked(renderView(renderer, model, photograph.camera), photograph);
        if (coloursMatched) render = matchedColours(render, expected);
        psnrs.push_back(std::min(psnr(render, expected), kMostInMean));
    }
    return psnrs;
}

std::vector<size_t> spreadEvenly(size_t count, size_t atMost) {
    const size_t taken = std::min(count, atMost);
    std::vector<size_t> indices(taken);
    for (size_t i = 0; i < taken; ++i) indices[i] = i * count / taken;
    return indices;
}

Image8 comparisonStrip(Renderer& renderer, const EvaluatedModel& model, std::span<const Photograph> photographs) {
    const std::vector<size_t> shown = spreadEvenly(photographs.size(), kStripRows);
    std::vector<Image8> rows;
    for (const size_t i : shown) {
        rows.push_back(stripRow(composited(photographs[i], model.background), renderView(renderer, model, photographs[i].camera)));
    }
    rows = fitted(std::move(rows));
    for (size_t r = 0; r < rows.size(); ++r) rows[r] = captioned(rows[r], photographs[shown[r]].name);
    return stacked(rows);
}

}  // namespace splat
