#pragma once

#include <optional>
#include <span>
#include <vector>

#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/settings/settings.h>
#include "reference/colour_grid.h"
#include "reference/densify.h"
#include "reference/poses.h"
#include "reference/update.h"

namespace splat {

/// Training steps in double precision: picture, exposure, loss, all gradients, and Adam's steps of splats, exposures and cameras. Splats come
/// and go in no step.
class ReferenceTrainer {
public:
    ReferenceTrainer(const TrainSettings& settings, const Gaussians& start, std::span<const Photograph> photographs, double sceneExtent);

    /// The next step, on this view; returns the loss.
    double step(size_t view);

    /// What is trained of a view.
    struct ViewState {
        explicit ViewState(const Photograph& photograph);

        Camera camera;  ///< where the dataset has it
        Image<double> target;
        reference::PoseOffset offset;
        std::vector<double> exposure{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  ///< rows of a 3x4 matrix
        reference::AdamMoments offsetMoments{6}, exposureMoments{12}, gridMoments{0};
        int64_t steps = 0;
    };

    reference::Splats splats;
    reference::Optimizer optimizer;
    std::vector<ViewState> views;
    std::vector<reference::UsedGrid> grids;  ///< per view; empty without colour grids
    std::vector<reference::Seen> seen;       ///< what the densifier is told of each splat
    std::vector<bool> certainlySeen;         ///< of each splat: never did only its box touch the image
    std::vector<double> filters;             ///< variances of the 3D filters; empty without them
    bool nearCut = false;                    ///< a threshold was so near that single precision may have decided otherwise

private:
    Image<double> exposed(const ViewState& view, const Image<double>& picture) const;
    Image<double> stepExposure(size_t view, const Image<double>& picture, const Image<double>& gradient);
    reference::Splats drawn() const;
    Image<double> shown(size_t view, const Image<double>& picture) const;
    Image<double> stepGrid(size_t view, const Image<double>& picture, const Image<double>& gradient);
    void stepPose(ViewState& view, const reference::CameraGradient& gradient) const;
    void observe(const Camera& camera, const reference::Settings& settings, const Image<double>& ofPicture);
    double rate(double first, double last) const;

    TrainSettings settings_;
    double sceneExtent_;
    reference::UnseenSteps unseen_;
    uint32_t step_ = 0;
};

}  // namespace splat
