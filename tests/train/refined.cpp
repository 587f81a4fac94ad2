#include "train/refined.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/refinement.h>
#include "reference/project.h"
#include "support/test_device.h"
#include "train/stored_words.h"

namespace splat {

namespace {

/// Sums of about ten views; a tenth of them has no weight.
reference::Blended blended(std::mt19937_64& random) {
    const auto uniform = [&](double high) { return static_cast<float>(std::uniform_real_distribution(0.0, high)(random)); };
    reference::Blended b{.weight = uniform(1) < 0.1 ? 0 : uniform(50), .value = uniform(10), .square = 0, .count = std::floor(uniform(20))};
    b.square = static_cast<float>(b.value * b.value / std::max(b.count, 1.0) + static_cast<double>(uniform(5)));
    return b;
}

/// The value of a word of a moment before a refinement: another one for each, up to 5000 Gaussians, so that it says where it came from.
float momentOf(size_t attribute, size_t plane, size_t gaussian, size_t word) {
    return static_cast<float>(1 + word + 8 * (plane + 16 * (attribute + 16 * gaussian)));
}

void uploadBlended(GaussianStore& store, const State& state) {
    std::vector<shared::BlendSums> sums(store.model.capacity);
    for (size_t i = 0; i < state.seen.size(); ++i) {
        const reference::Blended& b = state.seen[i].blended;
        sums[i] = {static_cast<float>(b.weight), static_cast<float>(b.value), static_cast<float>(b.square), static_cast<float>(b.count)};
    }
    testDevice().upload(store.blendStatistics, sums);
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
        state.seen[i] = {.gradient = static_cast<float>(uniform(0, 2e-2)), .views = std::floor(uniform(0, 60)), .radius = 0, .blended = {}};
        state.seen[i].radius = static_cast<float>(uniform(0, 0.3));
    }
    for (glm::vec3& c : g.sh) c = vector(-1, 1);
    for (reference::Seen& seen : state.seen) seen.blended = blended(random);
    return state;
}

TrainSettings settingsOf(std::string_view strategy) {
    TrainSettings settings = defaultsOf(strategy);
    settings.mortonEvery = 0;
    return settings;
}

TrainSettings standardDensification() {
    TrainSettings settings = settingsOf("default");
    settings.pruneOpacity = 0.005;
    settings.longAxisSplit = false;
    auto& own = settings.of<DefaultStrategySettings>();
    own.growGrad2d = 2e-4;
    own.growScale3d = 0.01;
    own.resetEvery = 3000;
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
    std::vector<shared::DensifyStatistics> statistics(store.model.capacity);
    for (size_t i = 0; i < state.seen.size(); ++i) {
        const reference::Seen& s = state.seen[i];
        statistics[i] = {static_cast<float>(s.gradient), static_cast<float>(s.views), static_cast<float>(s.radius)};
    }
    device.upload(store.densifyStatistics, statistics);
    store.keepBlendStatistics(densifierByName(settings.strategy).blend(settings).wanted());
    if (store.hasBlendStatistics) uploadBlended(store, state);
    device.upload(training_, std::vector<shared::TrainingState>{{.step = state.step, .serial = 0, .unusable = 0}});
    gaussians = state.gaussians;
    fillMoments();
}

void Refined::refine(uint32_t step) {
    gpu::Device& device = testDevice();
    const RefinementTools tools(device, testSort(), settings_);
    const RefineJob job{.store = store, .frame = frame_, .training = training_, .refinement = refinement_, .tools = tools, .limit = limit_};
    for (const RefineEvent& event : densifierByName(settings_.strategy).events({device, testSort(), settings_, kExtent})) {
        if (!event.due(step)) continue;
        device.run(event.name, [&](gpu::Commands& c) {
            tools.recordBegin(c, job);
            event.record(c, job);
        });
        result = device.download<shared::Refinement>(refinement_, 1)[0];
        if (!state().halted) device.upload(store.model.count, std::vector<uint32_t>{result.after});
    }
    gaussians = store.model.download(device, 3);
}

shared::FrameState Refined::state() const { return testDevice().download<shared::FrameState>(frame_.state, 1)[0]; }

void Refined::fillMoments() {
    const std::vector<StoredBuffer> all = store.buffers();
    for (size_t index = 0; index < all.size(); ++index) {
        const PlanarBuffer& values = *all[index].values;
        if (all[index].kind != BufferKind::moment) continue;
        std::vector<float> words;
        for (size_t p = 0; p < values.planes(); ++p)
            for (size_t i = 0; i < gaussians.count(); ++i)
                for (size_t w = 0; w < values.words(); ++w) words.push_back(momentOf(index, p, i, w));
        setWords(values, words);
    }
}

Origins originsOf(const std::vector<reference::Offspring>& offspring) {
    Origins origins;
    for (const reference::Offspring& o : offspring)
        origins.push_back(o.fate == reference::Fate::same ? std::optional(o.parent) : std::nullopt);
    return origins;
}

void expectMoments(Refined& run, const Origins& origins, std::string_view forgotten) {
    const std::vector<StoredBuffer> all = run.store.buffers();
    for (size_t index = 0; index < all.size(); ++index) {
        const PlanarBuffer& values = *all[index].values;
        if (all[index].kind != BufferKind::moment) continue;
        const auto words = wordsOf<float>(values, origins.size());
        for (size_t p = 0; p < values.planes(); ++p)
            for (size_t i = 0; i < origins.size(); ++i)
                for (size_t w = 0; w < values.words(); ++w) {
                    const float expected = origins[i] && all[index].name != forgotten ? momentOf(index, p, *origins[i], w) : 0.0f;
                    ASSERT_EQ(words[(p * origins.size() + i) * values.words() + w], expected)
                        << all[index].name << ", plane " << p << ", Gaussian " << i << ", word " << w;
                }
    }
}

namespace {

void expectSameAttributes(const Gaussians& found, size_t i, const Gaussians& from, size_t parent, bool colour) {
    for (const AttributeRow& row : kAttributes) {
        if ((row.firstCoefficient >= 0) != colour) continue;
        for (uint32_t plane = 0; plane < row.planes; ++plane) {
            const HostPlane<const float> a = hostPlane(found, row, plane), b = hostPlane(from, row, plane);
            for (uint32_t w = 0; w < row.words; ++w)
                EXPECT_EQ(a.first[i * a.stride + w], b.first[parent * b.stride + w]) << row.section << " of " << i << ", plane " << plane;
        }
    }
}

}  // namespace

void expectCopies(const Gaussians& found, size_t i, const Gaussians& from, size_t parent) {
    expectSameAttributes(found, i, from, parent, false);
}

void expectSameColours(const Gaussians& found, size_t i, const Gaussians& from, size_t parent) {
    expectSameAttributes(found, i, from, parent, true);
}

void expectLongAxisChild(const Gaussians& found, size_t i, const Gaussians& from, size_t parent, double side) {
    const glm::vec3 logScale = from.logScales[parent];
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (logScale[k] > logScale[axis]) axis = k;
    const glm::dmat3 rotation = reference::rotationMatrix(glm::normalize(glm::dvec4(from.rotations[parent])));
    const double length = std::exp(static_cast<double>(logScale[axis]));
    const glm::dvec3 mean = glm::dvec3(from.means[parent]) + side * 1.35 * length * rotation[axis];
    EXPECT_LT(glm::distance(glm::dvec3(found.means[i]), mean), 1e-5 * (1 + length)) << i;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.logScales[i][k], logScale[k] + std::log(k == axis ? 0.55 : 0.893), 2e-6) << i;
    EXPECT_EQ(found.rotations[i], from.rotations[parent]) << i;
    const double opacity = 0.6 / (1 + std::exp(-static_cast<double>(from.logitOpacities[parent])));
    EXPECT_NEAR(found.logitOpacities[i], std::log(opacity / (1 - opacity)), 1e-5) << i;
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
