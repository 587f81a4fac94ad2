#pragma once

#include <string_view>
#include <vector>

#include "reference/densify.h"
#include "support/gpu_scene.h"
#include "train/densify/densifier.h"

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

/// The value that a moment has at this word before a refinement: it says where it came from.
float momentOf(size_t word);

/// A strategy's own defaults, without the sort by place.
TrainSettings settingsOf(std::string_view strategy);

/// A store with this state and moments by momentOf().
class Refined {
public:
    Refined(const State& state, const TrainSettings& settings, uint32_t capacity, uint32_t limit = kUnlimited);

    /// Does the events that are due after the state's step.
    void refine(uint32_t step);

    shared::FrameState state() const;

    /// First word of a moment of each gaussian and plane.
    std::vector<float> moments(std::string_view name);

    GaussianStore store;
    Gaussians gaussians;  ///< as they are after refine()
    shared::Refinement result{};

private:
    void fillMoments(const Attribute& a, size_t count);

    TrainSettings settings_;
    uint32_t limit_;
    FrameBuffers frame_;
    gpu::Buffer training_, refinement_;
};

/// Expects every attribute but colour to be another gaussian's, bit for bit.
void expectCopies(const Gaussians& found, size_t i, const Gaussians& from, size_t parent);
void expectSameColours(const Gaussians& found, size_t i, const Gaussians& from, size_t parent);

/// The code of shaders/lib/morton.slang in the slowest way.
uint32_t mortonCode(glm::vec3 p);

}  // namespace splat
