#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <splatwright/train/densify/densifier.h>
#include "reference/densify.h"
#include "support/gpu_scene.h"

namespace splat {

inline constexpr double kExtent = 1.1;  ///< of the scenes that are refined
inline constexpr uint32_t kUnlimited = UINT32_MAX;

/// A model in the middle of training: parameters, moments, what the densifier saw, and the step.
struct State {
    Gaussians gaussians;
    std::vector<reference::Seen> seen;
    uint32_t step = 0;
};

/// Opacities are whole parts of 2^-20, so that host and device agree on their weights; nothing lies near enough to a threshold for single
/// precision to decide otherwise than double.
State makeState(size_t count, uint32_t step, uint64_t seed = 1);

/// A strategy's own defaults, without the sort by place.
TrainSettings settingsOf(std::string_view strategy);

/// The same of strategy default, but with the densification of gsplat's recipe.
TrainSettings standardDensification();

/// A store with this state, in which every word of every moment has a value of its own.
class Refined {
public:
    Refined(const State& state, const TrainSettings& settings, uint32_t capacity, uint32_t limit = kUnlimited);

    /// Does the events that are due after the state's step.
    void refine(uint32_t step);

    shared::FrameState state() const;

    GaussianStore store;
    Gaussians gaussians;  ///< as they are after refine()
    shared::Refinement result{};

private:
    void fillMoments();

    TrainSettings settings_;
    uint32_t limit_;
    FrameBuffers frame_;
    gpu::Buffer training_, refinement_;
};

/// Which Gaussian before the refinement each one has its moments from; none: they are zero.
using Origins = std::vector<std::optional<uint32_t>>;

/// Of a refinement's result: only those that are as they were keep their moments.
Origins originsOf(const std::vector<reference::Offspring>& offspring);

/// Expects every word of every moment to be where it should be; those of the attribute `forgotten` to be zero.
void expectMoments(Refined& run, const Origins& origins, std::string_view forgotten = "");

/// Expects every attribute but colour to be another gaussian's, bit for bit.
void expectCopies(const Gaussians& found, size_t i, const Gaussians& from, size_t parent);
void expectSameColours(const Gaussians& found, size_t i, const Gaussians& from, size_t parent);

/// Expects a child of a long-axis split: 1.35 standard deviations to its side, 0.55 as long, 0.893 as wide, 0.6 as opaque.
void expectLongAxisChild(const Gaussians& found, size_t i, const Gaussians& from, size_t parent, double side);

/// The code of shaders/lib/densify/morton.slang in the slowest way.
uint32_t mortonCode(glm::vec3 p);

}  // namespace splat
