#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <glm/glm.hpp>

#include "core/setting.h"
#include "scene/image_file.h"
#include "train/setting_limits.h"

namespace splat {

// The names of the rows that a setting chooses from.
std::span<const std::string_view> strategyChoices();
std::span<const std::string_view> accumulateChoices();
std::span<const std::string_view> initChoices();

/// Everything that decides a training run's result. Each field has one name, one default and one help text: here.
struct TrainSettings {
    std::string strategy = "default";
    uint32_t steps = 30'000;
    uint32_t maxSplats = 0;
    uint32_t seed = 42;
    std::string accumulate = "subtile";
    bool deterministic = false;
    bool clampGradients = false;

    double lrMeans = 1.6e-4;
    double lrMeansFinal = 1.6e-6;
    double lrRotations = 1e-3;
    double lrScales = 5e-3;
    double lrOpacities = 5e-2;
    double lrSh0 = 2.5e-3;
    double lrShRest = 1.25e-4;

    uint32_t densifyFrom = 500;
    uint32_t densifyUntil = 15'000;
    uint32_t densifyInterval = 100;
    double pruneOpacity = 0.005;
    uint32_t mortonEvery = 10;

    double growGrad2d = 2e-4;
    double growScale3d = 0.01;
    double growScale2d = 0.05;
    double pruneScale3d = 0;
    double pruneScale2d = 0.15;
    uint32_t scale2dUntil = 0;
    uint32_t resetEvery = 3000;
    double resetOpacity = 0.01;
    bool absoluteGradients = false;
    bool revisedOpacity = false;

    double growFactor = 1.05;
    double noiseLr = 0;
    double opacityReg = 0;
    double scaleReg = 0;

    double ssimLambda = 0.2;
    uint32_t shDegree = 3;
    uint32_t shDegreeInterval = 1000;
    glm::vec3 background{0, 0, 0};
    bool randomBackground = false;
    bool antialiased = false;
    bool exposure = false;
    double lrExposure = 1e-3;
    double lrExposureFinal = 1e-4;

    bool refinePoses = false;
    double lrPoses = 1e-5;
    double lrPosesFinal = 1e-7;

    std::string init = "sfm";
    uint32_t initCount = 100'000;
    double initOpacity = 0.1;
    double initScale = 1.0;
    double initExtent = 0.3;

    uint32_t downscale = 1;
    bool masks = true;
    uint32_t maxMegapixels = kDefaultMegapixels;
    uint32_t imageMemory = 64;
    uint32_t testEvery = 8;
    uint32_t logEvery = 100;
    uint32_t checkpointEvery = 5000;

    template <class Visitor>
    void visit(Visitor&& v) {
        v("strategy", strategy, Setting{.help = "how the number of gaussians changes", .group = "run", .choices = strategyChoices()});
        v("steps", steps, Setting{.help = "training steps", .group = "run", .min = 1, .max = kMostSteps});
        v("max_splats", maxSplats,
          Setting{.help = "never more gaussians than this; 0: as many as fit", .group = "run", .min = 0, .max = kMostSplats});
        v("seed", seed,
          Setting{.help = "of the order of views and of random initialisation",
                  .group = "run",
                  .min = 0,
                  .max = UINT32_MAX,
                  .restart = true});
        v("accumulate", accumulate, Setting{.help = "gradient accumulation", .group = "run", .choices = accumulateChoices()});
        v("deterministic", deterministic,
          Setting{.help = "bit-identical reruns on one device (takes the row `fixed-point`)", .group = "run"});
        v("clamp_gradients", clampGradients, Setting{.help = "tree-cas: clamp each pixel's gradient to +-10", .group = "run"});
        v("checkpoint_every", checkpointEvery,
          Setting{.help = "steps between checkpoints; 0: only at the end and when interrupted",
                  .group = "run",
                  .unit = "steps",
                  .min = 0,
                  .max = kMostSteps});
        v("log_every", logEvery, Setting{.help = "steps between lines of log.jsonl", .group = "run", .min = 1, .max = kMostSteps});

        v("lr_means", lrMeans,
          Setting{.help = "learning rate of positions at the start",
                  .group = "learning rates",
                  .unit = "scene extents",
                  .min = 0,
                  .max = kHighestRate});
        v("lr_means_final", lrMeansFinal,
          Setting{.help = "and at the end, log-linear between",
                  .group = "learning rates",
                  .unit = "scene extents",
                  .min = 0,
                  .max = kHighestRate});
        v("lr_rotations", lrRotations,
          Setting{.help = "learning rate of quaternions", .group = "learning rates", .min = 0, .max = kHighestRate});
        v("lr_scales", lrScales, Setting{.help = "learning rate of log scales", .group = "learning rates", .min = 0, .max = kHighestRate});
        v("lr_opacities", lrOpacities,
          Setting{.help = "learning rate of opacity logits", .group = "learning rates", .min = 0, .max = kHighestRate});
        v("lr_sh0", lrSh0,
          Setting{.help = "learning rate of the constant colour", .group = "learning rates", .min = 0, .max = kHighestRate});
        v("lr_sh_rest", lrShRest,
          Setting{.help = "learning rate of the other SH coefficients", .group = "learning rates", .min = 0, .max = kHighestRate});

        v("densify_from", densifyFrom,
          Setting{.help = "refine only after this step", .group = "densification", .unit = "steps", .min = 0, .max = kMostSteps});
        v("densify_until", densifyUntil,
          Setting{.help = "and only before this one", .group = "densification", .unit = "steps", .min = 0, .max = kMostSteps});
        v("densify_interval", densifyInterval,
          Setting{.help = "steps between refinements", .group = "densification", .unit = "steps", .min = 1, .max = kMostSteps});
        v("prune_opacity", pruneOpacity,
          Setting{.help = "gaussians of less opacity go (default) or move (mcmc)", .group = "densification", .min = 0, .max = 1});
        v("morton_every", mortonEvery,
          Setting{.help = "refinements between sorts by place in space; 0: never",
                  .group = "densification",
                  .unit = "refinements",
                  .min = 0,
                  .max = kMostSteps});

        v("grow_grad2d", growGrad2d,
          Setting{.help = "default: mean gradient of the place on the image, in half images, above which a gaussian is cloned or split",
                  .group = "densification",
                  .min = 0,
                  .max = kHighestSize});
        v("absolute_gradients", absoluteGradients,
          Setting{.help = "default: that gradient without sign, a pixel at a time (AbsGS); asks for a grow_grad2d of about 0.0008",
                  .group = "densification"});
        v("grow_scale3d", growScale3d,
          Setting{.help = "default: larger gaussians are split, smaller ones cloned",
                  .group = "densification",
                  .unit = "scene extents",
                  .min = 0,
                  .max = kHighestSize});
        v("grow_scale2d", growScale2d,
          Setting{.help = "default: wider gaussians are split too",
                  .group = "densification",
                  .unit = "image sizes",
                  .min = 0,
                  .max = kHighestSize});
        v("prune_scale3d", pruneScale3d,
          Setting{.help = "default: larger gaussians go, once opacities have been reset; 0: none do (gsplat has 0.1)",
                  .group = "densification",
                  .unit = "scene extents",
                  .min = 0,
                  .max = kHighestSize});
        v("prune_scale2d", pruneScale2d,
          Setting{.help = "default: wider gaussians go, once opacities have been reset",
                  .group = "densification",
                  .unit = "image sizes",
                  .min = 0,
                  .max = kHighestSize});
        v("scale2d_until", scale2dUntil,
          Setting{.help = "default: the rules on width hold before this step",
                  .group = "densification",
                  .unit = "steps",
                  .min = 0,
                  .max = kMostSteps});
        v("reset_every", resetEvery,
          Setting{.help = "default: steps between resets of opacities; 0: never",
                  .group = "densification",
                  .unit = "steps",
                  .min = 0,
                  .max = kMostSteps});
        v("reset_opacity", resetOpacity,
          Setting{.help = "default: opacities are cut to this", .group = "densification", .min = 0.0001, .max = 0.99});
        v("revised_opacity", revisedOpacity,
          Setting{.help = "default: a split keeps the sum's opacity, not each part's", .group = "densification"});

        v("grow_factor", growFactor,
          Setting{.help = "mcmc: gaussians after a refinement by those before", .group = "densification", .min = 1, .max = 2});
        v("noise_lr", noiseLr,
          Setting{.help = "mcmc: noise on the means, by their learning rate", .group = "densification", .min = 0, .max = 1e9});
        v("opacity_reg", opacityReg,
          Setting{.help = "weight of the mean opacity in the loss", .group = "model and loss", .min = 0, .max = kHighestWeight});
        v("scale_reg", scaleReg,
          Setting{.help = "weight of the mean scale in the loss", .group = "model and loss", .min = 0, .max = kHighestWeight});
        v("ssim_lambda", ssimLambda,
          Setting{.help = "weight of 1 - SSIM in the loss; the rest is L1", .group = "model and loss", .min = 0, .max = 1});
        v("sh_degree", shDegree, Setting{.help = "highest SH degree", .group = "model and loss", .min = 0, .max = 3});
        v("sh_degree_interval", shDegreeInterval,
          Setting{.help = "steps after which the active SH degree rises by one", .group = "model and loss", .min = 1, .max = kMostSteps});
        v("background", background,
          Setting{.help = "colour behind the splats and behind transparent pixels",
                  .group = "model and loss",
                  .unit = "R,G,B",
                  .min = 0,
                  .max = 1});

        v("random_background", randomBackground,
          Setting{.help = "another colour behind the splats every step, by the seed", .group = "model and loss"});
        v("antialiased", antialiased,
          Setting{.help = "splats that are widened to a pixel grow fainter (2D filter of Mip-Splatting), here and in later renders",
                  .group = "model and loss"});
        v("exposure", exposure,
          Setting{.help = "train the exposure of every photograph along; tests and renders go without it", .group = "model and loss"});
        v("lr_exposure", lrExposure,
          Setting{.help = "learning rate of exposures at the start", .group = "model and loss", .min = 0, .max = kHighestRate});
        v("lr_exposure_final", lrExposureFinal,
          Setting{.help = "and at the end, log-linear between", .group = "model and loss", .min = 0, .max = kHighestRate});

        v("refine_poses", refinePoses,
          Setting{.help = "move the training cameras too; test views stay where the dataset has them", .group = "cameras"});
        v("lr_poses", lrPoses,
          Setting{.help = "learning rate of camera positions and rotations at the start",
                  .group = "cameras",
                  .unit = "distances of the farthest camera, radians",
                  .min = 0,
                  .max = kHighestRate});
        v("lr_poses_final", lrPosesFinal,
          Setting{.help = "and at the end, log-linear between", .group = "cameras", .min = 0, .max = kHighestRate});

        v("init", init,
          Setting{
              .help = "where gaussians start: sfm is the dataset's points", .group = "start", .choices = initChoices(), .restart = true});
        v("init_count", initCount,
          Setting{.help = "gaussians of a random start", .group = "start", .min = 1, .max = 100'000'000, .restart = true});
        v("init_extent", initExtent,
          Setting{.help = "half size of the cube of a random start, around what the cameras look at",
                  .group = "start",
                  .unit = "mean camera distances",
                  .min = 0,
                  .max = kHighestSize,
                  .restart = true});
        v("init_opacity", initOpacity,
          Setting{.help = "opacity at the start", .group = "start", .min = 0.004, .max = 0.99, .restart = true});
        v("init_scale", initScale,
          Setting{.help = "size at the start",
                  .group = "start",
                  .unit = "mean distances to the three nearest",
                  .min = 0,
                  .max = kHighestSize,
                  .restart = true});

        v("downscale", downscale,
          Setting{.help = "photographs are made smaller by this: 1, 2, 4, 8; 0 picks one that leaves at most 1600 pixels",
                  .group = "data",
                  .min = 0,
                  .max = 8,
                  .restart = true});
        v("masks", masks,
          Setting{.help = "leave out what the masks in a folder masks/ beside the photographs hide (masks/NAME.png)",
                  .group = "data",
                  .restart = true});
        v("max_megapixels", maxMegapixels,
          Setting{.help = "Largest image file that is read",
                  .group = "data",
                  .unit = "million pixels",
                  .min = 1,
                  .max = 4096,
                  .restart = true});
        v("image_memory", imageMemory,
          Setting{.help = "photographs stay on the GPU if they need no more than this there; else they are copied ahead of use",
                  .group = "data",
                  .unit = "MiB",
                  .min = 0,
                  .max = kMostMemory,
                  .restart = true});
        v("test_every", testEvery,
          Setting{.help = "every so many views by name are for testing; 0 trains on all",
                  .group = "data",
                  .min = 0,
                  .max = 1'000'000,
                  .restart = true});
    }
};

/// The built-in settings with those of a strategy over them. Throws InputError for an unknown one.
TrainSettings defaultsOf(std::string_view strategy);

/// What comes along when a person changes single settings, from `before` to these: a strategy's own defaults, for whatever was as the strategy
/// before has it, and for `deterministic` a way to accumulate that is. begun: training has begun, so what needs a new start stays.
void completeChange(TrainSettings& settings, TrainSettings before, bool begun);

/// The accumulation row that a deterministic run takes when none is asked for.
std::string deterministicRow();

/// What single values cannot say. Throws InputError naming the settings that do not go together, or do not exist.
void checkTogether(const TrainSettings& settings);

}  // namespace splat
