#include "train/refined.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/test_device.h"

namespace splat {

namespace {

/// The value of a word of a moment before a refinement: another one for each, up to 5000 Gaussians, so that it says where it came from.
float momentOf(size_t attribute, size_t plane, size_t gaussian, size_t word) {
    return static_cast<float>(1 + word + 8 * (plane + 16 * (attribute + 16 * gaussian)));
}

}  // namespace

State makeState(size_t count, uint32_t step, uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    const auto vector = [&](double low, double high) { return glm::vec3(uniform(low, high), uniform(low, high), uniform(low, high)); };
    State state{.seen = std::vector<reference::Seen>(count), .step = step};
    Gaussians& g = state.gaussians;
    g.resize(count, 3);
    for (size_t i = 0; i < count; ++i) {
        g.means[i] = vector(-2, 2);
        g.rotations[i] = glm::vec4(uniform(0.2, 1), vector(-1, 1));
        g.logScales[i] = vector(-7, uniform(0, 1) < 0.1 ? -1 : -4);
        const double opacity = std::round(std::pow(uniform(0.02, 0.97), 3) * 0x1p20) * 0x1p-20;
        g.logitOpacities[i] = static_cast<float>(std::log(opacity / (1 - opacity)));
        state.seen[i] = {.gradient = static_cast<float>(uniform(0, 2e-2)), .views = std::floor(uniform(0, 60)), .radius = 0};
        state.seen[i].radius = static_cast<float>(uniform(0, 0.3));
    }
    for (glm::vec3& c : g.sh) c = vector(-1, 1);
    return state;
}

TrainSettings settingsOf(std::string_view strategy) {
    TrainSettings settings = defaultsOf(strategy);
    settings.mortonEvery = 0;
    return settings;
}

Refined::Refined(const State& state, const TrainSettings& settings, uint32_t capacity, uint32_t limit)
    : store(testDevice(), GaussianStore::roundedCapacity(capacity), true),
      settings_(settings),
      limit_(limit),
      frame_(testDevice(), {.gaussians = store.model.capacity, .instances = 64, .buckets = 0, .width = 16, .height = 16}),
      training_(testDevice().buffer<shared::TrainingState>("training", 1)),
      refinement_(testDevice().buffer<shared::Refinement>("refinement", 1)) {
    gpu::Device& device = testDevice();
    store.model.upload(device, state.gaussians);
    std::vector<shared::GrowthStatistics> growth(store.model.capacity);
    for (size_t i = 0; i < state.seen.size(); ++i) {
        const reference::Seen& s = state.seen[i];
        growth[i] = {static_cast<float>(s.gradient), static_cast<float>(s.views), static_cast<float>(s.radius)};
    }
    device.upload(store.growth, growth);
    device.upload(training_, std::vector<shared::TrainingState>{{.step = state.step, .serial = 0, .unusable = 0}});
    gaussians = state.gaussians;
    fillMoments();
}

void Refined::refine(uint32_t step) {
    gpu::Device& device = testDevice();
    for (const RefineEvent& event : densifierByName(settings_.strategy).events({device, testSort(), settings_, kExtent})) {
        if (!event.due(step)) continue;
        device.run(event.name, [&](gpu::Commands& c) {
            event.record(c, {.store = store, .frame = frame_, .training = training_, .refinement = refinement_, .limit = limit_});
        });
        result = device.download<shared::Refinement>(refinement_, 1)[0];
        if (!state().halted) device.upload(store.model.count, std::vector<uint32_t>{result.after});
    }
    gaussians = store.model.download(device, 3);
}

shared::FrameState Refined::state() const { return testDevice().download<shared::FrameState>(frame_.state, 1)[0]; }

void Refined::fillMoments() {
    const size_t capacity = store.model.capacity;
    const std::vector<Attribute> all = store.attributes();
    for (size_t index = 0; index < all.size(); ++index) {
        const Attribute& a = all[index];
        if (a.kind != AttributeKind::moment) continue;
        std::vector<float> words(size_t{a.words} * a.planes * capacity, 0.0f);
        for (size_t p = 0; p < a.planes; ++p)
            for (size_t i = 0; i < gaussians.count(); ++i)
                for (size_t w = 0; w < a.words; ++w) words[(p * capacity + i) * a.words + w] = momentOf(index, p, i, w);
        testDevice().upload(*a.buffer, words);
    }
}

void expectMoments(Refined& run, const Origins& origins, std::string_view forgotten) {
    const size_t capacity = run.store.model.capacity;
    const std::vector<Attribute> all = run.store.attributes();
    for (size_t index = 0; index < all.size(); ++index) {
        const Attribute& a = all[index];
        if (a.kind != AttributeKind::moment) continue;
        const auto words = testDevice().download<float>(*a.buffer, size_t{a.words} * a.planes * capacity);
        for (size_t p = 0; p < a.planes; ++p)
            for (size_t i = 0; i < origins.size(); ++i)
                for (size_t w = 0; w < a.words; ++w) {
                    const float expected = origins[i] && a.name != forgotten ? momentOf(index, p, *origins[i], w) : 0.0f;
                    ASSERT_EQ(words[(p * capacity + i) * a.words + w], expected)
                        << a.name << ", plane " << p << ", gaussian " << i << ", word " << w;
                }
    }
}

void expectCopies(const Gaussians& found, size_t i, const Gaussians& from, size_t parent) {
    EXPECT_EQ(found.means[i], from.means[parent]) << i;
    EXPECT_EQ(found.rotations[i], from.rotations[parent]) << i;
    EXPECT_EQ(found.logScales[i], from.logScales[parent]) << i;
    EXPECT_EQ(found.logitOpacities[i], from.logitOpacities[parent]) << i;
}

void expectSameColours(const Gaussians& found, size_t i, const Gaussians& from, size_t parent) {
    for (size_t k = 0; k < 16; ++k) EXPECT_EQ(found.sh[i * 16 + k], from.sh[parent * 16 + k]) << i;
}

uint32_t mortonCode(glm::vec3 p) {
    const float reach = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    if (reach > 1) p *= (2 - 1 / reach) / reach;
    uint32_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto cell = static_cast<uint32_t>(std::clamp((p[axis] + 2) * 256, 0.0f, 1023.0f));
        for (uint32_t bit = 0; bit < 10; ++bit) code |= ((cell >> bit) & 1u) << (3 * bit + static_cast<uint32_t>(axis));
    }
    return code;
}

}  // namespace splat
