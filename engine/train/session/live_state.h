#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/gaussians/model_transform.h>
#include <splatwright/train/evaluate/evaluation.h>
#include <splatwright/train/session/live_history.h>
#include <splatwright/train/session/session_observer.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/training_costs.h>

namespace splat {

struct LiveEvaluation {
    uint32_t step = 0;
    double psnr = 0;  ///< dB
    double ssim = 0;
    double worst = 0;     ///< dB, of the view with the lowest PSNR
    std::string warning;  ///< flatWarning()
};

/// State of a training, as of the last step that is known to be done.
struct LiveState {
    SessionPhase phase = SessionPhase::loading;
    std::string problem;    ///< the failure, or the last problem with a command or file
    uint64_t problems = 0;  ///< number of problems so far
    uint32_t pending = 0;   ///< commands that are not yet executed
    std::string loading;    ///< kind of images being read
    double loaded = 0;      ///< fraction of them, 0..1
    TrainSettings settings;
    StepReport last;
    int shDegree = 0;
    double millisecondsPerStep = 0;  ///< recent mean; 0: unknown
    TrainingCosts costs;             ///< refreshed about every second
    std::vector<LivePoint> history;
    std::vector<std::string_view> lossTerms;  ///< at most LivePoint::kMostTerms, in the order in which they first had a weight
    std::vector<LiveEvaluation> evaluations;
    std::vector<ViewScore> testScores, trainingScores;  ///< of the views, when they were last evaluated
    std::optional<uint32_t> checkpointStep;             ///< of the last checkpoint that is complete on disk
    uint32_t savedStep = 0;                             ///< the last step whose splats or checkpoint are in a file; 0: none
    uint64_t removals = 0;                              ///< commands so far that removed Gaussians
    uint32_t removed = 0;                               ///< Gaussians, by the last of them
    uint64_t dataGeneration = 0;                        ///< changes when views() changes; 0: there are none yet
    ModelTransform transform;                           ///< from the model's frame to the dataset's frame
};

}  // namespace splat
