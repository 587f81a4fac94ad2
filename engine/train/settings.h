#pragma once

#include <cstdint>
#include <string>

#include <glm/glm.hpp>

#include "core/setting.h"

namespace splat {

/// Everything that decides a training run's result. Each field has one name, one default and one help text: here.
struct TrainSettings {
    std::string strategy = "fixed";
    uint32_t steps = 30'000;
    uint32_t seed = 42;
    std::string accumulate = "bucket";
    bool deterministic = false;
    bool clampGradients = false;

    double lrMeans = 1.6e-4;
    double lrMeansFinal = 1.6e-6;
    double lrRotations = 1e-3;
    double lrScales = 5e-3;
    double lrOpacities = 5e-2;
    double lrSh0 = 2.5e-3;
    double lrShRest = 1.25e-4;

    double ssimLambda = 0.2;
    uint32_t shDegree = 3;
    uint32_t shDegreeInterval = 1000;
    glm::vec3 background{0, 0, 0};

    std::string init = "sfm";
    uint32_t initCount = 100'000;
    double initOpacity = 0.1;
    double initScale = 1.0;
    double initExtent = 0.3;

    uint32_t downscale = 1;
    uint32_t testEvery = 8;
    uint32_t logEvery = 100;

    template <class Visitor>
    void visit(Visitor&& v) {
        v("strategy", strategy, Setting{.help = "how the number of gaussians changes: fixed", .group = "run"});
        v("steps", steps, Setting{.help = "training steps", .group = "run", .min = 1, .max = 10'000'000});
        v("seed", seed, Setting{.help = "of the order of views and of random initialisation", .group = "run"});
        v("accumulate", accumulate, Setting{.help = "gradient accumulation: bucket, ordered or tree-cas", .group = "run"});
        v("deterministic", deterministic, Setting{.help = "bit-identical reruns on one device (takes the row `ordered`)", .group = "run"});
        v("clamp_gradients", clampGradients, Setting{.help = "tree-cas: clamp each pixel's gradient to +-10", .group = "run"});
        v("log_every", logEvery, Setting{.help = "steps between lines of log.jsonl", .group = "run", .min = 1});

        v("lr_means", lrMeans,
          Setting{.help = "learning rate of positions at the start", .group = "learning rates", .unit = "scene extents", .min = 0});
        v("lr_means_final", lrMeansFinal,
          Setting{.help = "and at the end, log-linear between", .group = "learning rates", .unit = "scene extents", .min = 0});
        v("lr_rotations", lrRotations, Setting{.help = "learning rate of quaternions", .group = "learning rates", .min = 0});
        v("lr_scales", lrScales, Setting{.help = "learning rate of log scales", .group = "learning rates", .min = 0});
        v("lr_opacities", lrOpacities, Setting{.help = "learning rate of opacity logits", .group = "learning rates", .min = 0});
        v("lr_sh0", lrSh0, Setting{.help = "learning rate of the constant colour", .group = "learning rates", .min = 0});
        v("lr_sh_rest", lrShRest, Setting{.help = "learning rate of the other SH coefficients", .group = "learning rates", .min = 0});

        v("ssim_lambda", ssimLambda,
          Setting{.help = "weight of 1 - SSIM in the loss; the rest is L1", .group = "model and loss", .min = 0, .max = 1});
        v("sh_degree", shDegree, Setting{.help = "highest SH degree", .group = "model and loss", .min = 0, .max = 3});
        v("sh_degree_interval", shDegreeInterval,
          Setting{.help = "steps after which the active SH degree rises by one", .group = "model and loss", .min = 1});
        v("background", background,
          Setting{.help = "colour behind the splats and behind transparent pixels",
                  .group = "model and loss",
                  .unit = "R,G,B",
                  .min = 0,
                  .max = 1});

        v("init", init, Setting{.help = "where gaussians start: sfm (the dataset's points) or random", .group = "start"});
        v("init_count", initCount, Setting{.help = "gaussians of a random start", .group = "start", .min = 1});
        v("init_extent", initExtent,
          Setting{.help = "half size of the cube of a random start, around what the cameras look at",
                  .group = "start",
                  .unit = "mean camera distances",
                  .min = 0});
        v("init_opacity", initOpacity, Setting{.help = "opacity at the start", .group = "start", .min = 0.004, .max = 0.99});
        v("init_scale", initScale,
          Setting{.help = "size at the start", .group = "start", .unit = "mean distances to the three nearest", .min = 0});

        v("downscale", downscale,
          Setting{.help = "photographs are made smaller by this: 1, 2, 4, 8; 0 picks one that leaves at most 1600 pixels",
                  .group = "data",
                  .min = 0,
                  .max = 8});
        v("test_every", testEvery, Setting{.help = "every so many views by name are for testing; 0 trains on all", .group = "data"});
    }
};

}  // namespace splat
