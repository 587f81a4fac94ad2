#include "train/reference_trainer.h"

#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/parts/sampling_filter_settings.h>

#include <algorithm>
#include <cmath>

#include "reference/filter.h"
#include "reference/losses.h"
#include "reference/render.h"
#include "train/update_bench.h"

namespace splat {

namespace {

constexpr double kPoseDecay = 1e-6;  // gsplat's weight decay of poses

Image<double> targetOf(const Photograph& photograph) {
    Image<double> image(photograph.image.width, photograph.image.height, 3);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = photograph.image.pixels[i] / 255.0;
    return image;
}

/// Gradients by the splats' places on the image: the sum over pixels, or over what each pixel asks for without its sign.
std::vector<glm::dvec2> meanGradients(std::span<const reference::Projected> projected, const reference::Settings& settings,
                                      const Image<double>& ofPicture, bool absolute) {
    std::vector<glm::dvec2> sums(projected.size(), glm::dvec2(0));
    for (int y = 0; y < ofPicture.height; ++y)
        for (int x = 0; x < ofPicture.width; ++x) {
            // An image of this pixel alone.
            std::vector<reference::Projected> moved(projected.begin(), projected.end());
            for (reference::Projected& p : moved) p.mean -= glm::dvec2(x, y);
            Image<double> pixel(1, 1, 3);
            std::ranges::copy(ofPicture.at(x, y), pixel.pixels.begin());
            const auto gradients = reference::blendBackward(moved, settings, {.colour = pixel, .transmittance = {}});
            for (size_t i = 0; i < sums.size(); ++i) {
                const glm::dvec2 gradient = gradients.projected[i].mean;
                sums[i] += absolute ? glm::abs(gradient) : gradient;
            }
        }
    return sums;
}

}  // namespace

ReferenceTrainer::ViewState::ViewState(const Photograph& photograph) : camera(photograph.camera), target(targetOf(photograph)) {}

ReferenceTrainer::ReferenceTrainer(const TrainSettings& settings, const Gaussians& start, std::span<const Photograph> photographs,
                                   double sceneExtent)
    : splats(reference::fromGaussians(start)),
      optimizer(splats),
      views(photographs.begin(), photographs.end()),
      seen(start.count()),
      certainlySeen(start.count(), true),
      settings_(settings),
      sceneExtent_(sceneExtent),
      unseen_(settings.fadeSteps, photographs.size()) {
    std::vector<Camera> cameras;
    for (const Photograph& photograph : photographs) cameras.push_back(photograph.camera);
    for (ViewState& view : views) {
        if (!settings.of<ColourGridSettings>().colourGrid) continue;
        const reference::ColourGrid grid({settings.of<ColourGridSettings>().gridSize, settings.of<ColourGridSettings>().gridSize,
                                          settings.of<ColourGridSettings>().gridLevels});
        grids.push_back({grid, std::vector<double>(grid.numbers.size() / 12)});
        view.gridMoments = reference::AdamMoments(grid.numbers.size());
    }
    if (settings.of<SamplingFilterSettings>().filter3d) filters = reference::filterVariances(splats, cameras);
}

/// The splats with their filters applied.
reference::Splats ReferenceTrainer::drawn() const { return filters.empty() ? splats : reference::filtered(splats, filters); }

double ReferenceTrainer::step(size_t index) {
    ViewState& view = views[index];
    ++view.steps;
    const Camera camera = reference::moved(view.camera, view.offset);
    const auto degree = static_cast<int>(std::min(step_ / settings_.shDegreeInterval, settings_.shDegree));
    const reference::Settings settings{.shDegree = degree, .background = settings_.background, .antialiased = settings_.antialiased};
    const reference::Rendering picture = reference::render(drawn(), camera, settings);
    nearCut |= std::ranges::any_of(picture.nearCut.pixels, [](uint8_t flag) { return flag != 0; });
    reference::Loss loss = reference::photometricLoss(shown(index, picture.colour), view.target, settings_.ssimLambda);
    if (settings_.of<ColourGridSettings>().colourGrid) {
        loss.value += settings_.of<ColourGridSettings>().gridTv * reference::totalVariation(reference::centred(grids[index].grid, grids));
        loss.gradient = stepGrid(index, picture.colour, loss.gradient);
    }
    if (settings_.of<ExposureSettings>().exposure) loss.gradient = stepExposure(index, picture.colour, loss.gradient);
    reference::Gradients gradients = reference::backward(drawn(), camera, settings, {.colour = loss.gradient, .transmittance = {}});
    if (!filters.empty()) gradients.splats = reference::filterBackward(splats, filters, gradients.splats);
    observe(camera, settings, loss.gradient);
    reference::UpdateRules rules = updateRules(settings_, step_, sceneExtent_);
    for (const auto& splat : reference::projectAll(drawn(), camera, settings))
        rules.seen.push_back(reference::reachesAPixel(splat, camera.width, camera.height));
    rules.seen = unseen_.acts(rules.seen);
    const double total = loss.value + reference::regularisation(splats, rules);
    optimizer.update(splats, gradients.splats, rules, step_ + 1);
    if (settings_.of<PoseSettings>().refinePoses) stepPose(view, gradients.camera);
    ++step_;
    return total;
}

/// The picture as it is compared with the photograph.
Image<double> ReferenceTrainer::shown(size_t view, const Image<double>& picture) const {
    if (settings_.of<ColourGridSettings>().colourGrid) return reference::corrected(reference::centred(grids[view].grid, grids), picture);
    return settings_.of<ExposureSettings>().exposure ? exposed(views[view], picture) : picture;
}

/// Returns the gradient by the picture before the grid.
Image<double> ReferenceTrainer::stepGrid(size_t view, const Image<double>& picture, const Image<double>& gradient) {
    const reference::ColourGrid grid = reference::centred(grids[view].grid, grids);
    reference::ColourGridGradients gradients = reference::correctionBackward(grid, picture, gradient);
    const std::vector<double> variation = reference::totalVariationGradient(grid);
    for (size_t i = 0; i < variation.size(); ++i) gradients.grid[i] += settings_.of<ColourGridSettings>().gridTv * variation[i];
    adamStep(grids[view].grid.numbers, gradients.grid, views[view].gridMoments, views[view].steps,
             {.learningRate = rate(settings_.of<ColourGridSettings>().lrGrid, settings_.of<ColourGridSettings>().lrGridFinal)});
    grids[view].uses = reference::cellUses(grid, picture);
    return gradients.picture;
}

Image<double> ReferenceTrainer::exposed(const ViewState& view, const Image<double>& picture) const {
    Image<double> result = picture;
    for (size_t p = 0; p < picture.pixels.size(); p += 3)
        for (size_t row = 0; row < 3; ++row) {
            const double* e = &view.exposure[4 * row];
            result.pixels[p + row] = e[0] * picture.pixels[p] + e[1] * picture.pixels[p + 1] + e[2] * picture.pixels[p + 2] + e[3];
        }
    return result;
}

/// Returns the gradient by the picture before the exposure.
Image<double> ReferenceTrainer::stepExposure(size_t index, const Image<double>& picture, const Image<double>& gradient) {
    ViewState& view = views[index];
    std::vector<std::span<double>> exposures;
    for (ViewState& any : views) exposures.emplace_back(any.exposure);
    Image<double> back = picture;
    std::vector<double> ofExposure(12);
    for (size_t p = 0; p < picture.pixels.size(); p += 3)
        for (size_t column = 0; column < 4; ++column) {
            double sum = 0;
            for (size_t row = 0; row < 3; ++row) {
                sum += view.exposure[4 * row + column] * gradient.pixels[p + row];
                ofExposure[4 * row + column] += gradient.pixels[p + row] * (column < 3 ? picture.pixels[p + column] : 1.0);
            }
            if (column < 3) back.pixels[p + column] = sum;
        }
    stepAtSameMean(exposures, index, ofExposure, view.exposureMoments, view.steps,
                   {.learningRate = rate(settings_.of<ExposureSettings>().lrExposure, settings_.of<ExposureSettings>().lrExposureFinal)});
    return back;
}

void ReferenceTrainer::stepPose(ViewState& view, const reference::CameraGradient& gradient) const {
    reference::PoseOffset& offset = view.offset;
    const reference::PoseOffset slope = reference::poseOffsetGradient(offset, gradient);
    std::vector<double> numbers, slopes;
    for (const auto& [at, by] : {std::pair(offset.translation, slope.translation), std::pair(offset.rotation, slope.rotation)})
        for (int k = 0; k < 3; ++k) {
            numbers.push_back(at[k]);
            slopes.push_back(by[k] + kPoseDecay * at[k]);
        }
    adamStep(numbers, slopes, view.offsetMoments, view.steps,
             {.learningRate = rate(settings_.of<PoseSettings>().lrPoses, settings_.of<PoseSettings>().lrPosesFinal)});
    offset = {.translation = {numbers[0], numbers[1], numbers[2]}, .rotation = {numbers[3], numbers[4], numbers[5]}};
}

void ReferenceTrainer::observe(const Camera& camera, const reference::Settings& settings, const Image<double>& ofPicture) {
    const glm::dvec2 size(camera.width, camera.height);
    const auto projected = reference::projectAll(drawn(), camera, settings);
    const auto gradients = meanGradients(projected, settings, ofPicture, settings_.of<DefaultStrategySettings>().absoluteGradients);
    for (size_t i = 0; i < seen.size(); ++i) {
        if (!projected[i].visible) continue;
        if (!reference::reachesAPixel(projected[i], camera.width, camera.height)) certainlySeen[i] = false;
        seen[i].gradient += glm::length(gradients[i] * size / 2.0);
        seen[i].views += 1;
        const glm::dvec2 extent = projected[i].halfExtent;
        seen[i].radius = std::max(seen[i].radius, std::max(extent.x, extent.y) / std::max(size.x, size.y));
    }
}

/// Log-linear over the run.
double ReferenceTrainer::rate(double first, double last) const {
    return first * std::pow(last / first, static_cast<double>(step_) / settings_.steps);
}

}  // namespace splat
