// Histograms of every quantity against the host's in double precision, over sizes around a group of threads.
#include <splatwright/view/splat_histogram.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/shared/training.h>
#include <splatwright/view/edit_history.h>
#include "world_scene.h"

namespace splat {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kBins = shared::kHistogramBins;

/// A world with gradients and a training image, so that every quantity is known.
struct Counted {
    explicit Counted(size_t count, bool isLive = true) : scene(reference::makeMixedScene(count, 60, 44, 7, 2)), statistics(count) {
        if (isLive)
            addLive();
        else
            world.world.add("model", scene.gaussians);
        truth = testDevice().buffer<uint32_t>("ground truth", size_t{60} * 44);
        for (uint32_t i = 0; i < 60 * 44; ++i) words.push_back(i * 2654435761u);
        testDevice().upload(truth, words);
        world.view.groundTruth = {truth, {60, 44}};
        world.draw(scene.camera, "colour");
    }
    void addLive() {
        const auto count = static_cast<uint32_t>(scene.gaussians.count());
        for (size_t i = 0; i < statistics.size(); ++i)
            statistics[i] = {.gradient = 0.01F * static_cast<float>(i % 53), .views = static_cast<float>(i % 3)};
        densify = testDevice().buffer<shared::DensifyStatistics>("densification statistics", count);
        testDevice().upload(densify, statistics);
        GaussianModel source(testDevice(), count);
        source.upload(testDevice(), scene.gaussians);
        world.world.refresh(world.world.addLive("in training", count), source, 2, densify);
        testDevice().run("wait for the refresh", [](gpu::Commands&) {});
    }
    Histogram count(const std::string& quantity) {
        world.view.askHistogram(splatQuantityByName(quantity));
        EXPECT_TRUE(world.view.asksHistogram());
        testDevice().run("wait for the histogram", [](gpu::Commands&) {});
        const auto found = world.view.histogram();
        EXPECT_TRUE(found && found->quantity == &splatQuantityByName(quantity));
        return found.value_or(Histogram{.quantity = &splatQuantityByName(quantity)});
    }
    /// The quantity of each Gaussian by the definition.
    std::vector<double> numbers(const std::string& quantity) const;
    std::vector<double> errors() const;

    reference::Scene scene;
    std::vector<shared::DensifyStatistics> statistics;
    gpu::Buffer densify, truth;
    Words words;
    WorldScene world;
};

double shEnergy(const Gaussians& g, size_t i) {
    const size_t each = shCoefficients(g.shDegree);
    double sum = 0;
    for (size_t k = 1; k < each; ++k) sum += glm::dot(glm::dvec3(g.sh[i * each + k]), glm::dvec3(g.sh[i * each + k]));
    return sum;
}

/// Mean error of the pixels of each splat by blending weight, from the reference's traces.
std::vector<double> Counted::errors() const {
    const Ingredients in = ingredientsOf(scene.gaussians, scene.camera, world.view.settings);
    std::vector<double> weights(scene.gaussians.count()), sums(scene.gaussians.count());
    for (int y = 0; y < scene.camera.height; ++y) {
        for (int x = 0; x < scene.camera.width; ++x) {
            const auto walk = trace(in, {x, y});
            glm::dvec3 colour = walk.transmittance * glm::dvec3(kBackground);
            for (const auto& c : walk.contributions) colour += in.projected[c.splat].colour * c.alpha.value * c.transmittance;
            const glm::dvec3 photographed = glm::dvec3(channelsOf(words[static_cast<size_t>(y * scene.camera.width + x)])) / 255.0;
            const glm::dvec3 off = glm::abs(glm::clamp(colour, 0.0, 1.0) - photographed);
            for (const auto& c : walk.contributions) {
                weights[c.splat] += c.alpha.value * c.transmittance;
                sums[c.splat] += c.alpha.value * c.transmittance * (off.x + off.y + off.z) / 3;
            }
        }
    }
    for (size_t i = 0; i < sums.size(); ++i) sums[i] = weights[i] > 0 ? sums[i] / weights[i] : kNone;
    return sums;
}

std::vector<double> Counted::numbers(const std::string& quantity) const {
    if (quantity == "error") return errors();
    const Gaussians& g = scene.gaussians;
    const Ingredients in = ingredientsOf(g, scene.camera, world.view.settings);
    std::vector<double> found;
    for (size_t i = 0; i < g.count(); ++i) {
        const glm::dvec3 scale = glm::exp(glm::dvec3(g.logScales[i]));
        if (quantity == "scale") found.push_back(std::max({scale.x, scale.y, scale.z}));
        if (quantity == "opacity") found.push_back(1 / (1 + std::exp(-double{g.logitOpacities[i]})));
        if (quantity == "sh-energy") found.push_back(shEnergy(g, i));
        if (quantity == "gradient") found.push_back(double{statistics[i].gradient} / std::max(1.0, double{statistics[i].views}));
        if (quantity == "radius") found.push_back(largestExtent(in.projected[i]));
    }
    return found;
}

/// Numbers that lie in each bin for sure, and those that may: single precision may find them beside.
struct Expected128 {
    std::array<uint32_t, kBins> sure{}, possible{};
};

Expected128 binned(const std::vector<double>& numbers, const Histogram& h) {
    const double margin = h.quantity->need == RenderModeNeed::groundTruth ? 0.2 : 1e-3;  // of a bin; errors are sums of many roundings
    Expected128 e;
    for (const double number : numbers) {
        if (!std::isfinite(number)) continue;
        const double place = h.placeOf(number) * kBins;
        const auto bin = static_cast<size_t>(std::clamp(std::floor(place), 0.0, kBins - 1.0));
        const auto low = static_cast<size_t>(std::clamp(std::floor(place - margin), 0.0, kBins - 1.0));
        const auto high = static_cast<size_t>(std::clamp(std::floor(place + margin), 0.0, kBins - 1.0));
        if (low == high) ++e.sure[bin];
        for (size_t b = low; b <= high; ++b) ++e.possible[b];
    }
    return e;
}

class Quantities : public testing::TestWithParam<SplatQuantity> {};

/// Of the picture's quantities only splats in it count, and of a few the reference leaves open whether a pixel blends them.
TEST_P(Quantities, AreCountedAsTheDoubleReferenceDoes) {
    const std::string name(GetParam().name);
    const bool ofPicture = name == "radius" || name == "error";
    for (const size_t count : std::initializer_list<size_t>{1, 2, 255, 256, 257, 4095, 4096, 4097}) {
        if (name == "error" && count > 300) continue;  // traces of every pixel take long
        SCOPED_TRACE(count);
        Counted counted(count);
        const Histogram h = counted.count(name);
        const Expected128 e = binned(counted.numbers(name), h);
        uint32_t tooFew = 0, tooMany = 0;
        for (size_t bin = 0; bin < kBins; ++bin) {
            tooFew += e.sure[bin] - std::min(e.sure[bin], h.all[bin]);
            tooMany += h.all[bin] - std::min(e.possible[bin], h.all[bin]);
        }
        const size_t few = 1 + count / 50;
        if (!ofPicture) {
            EXPECT_EQ(h.count(), count) << "every splat is in one bin";
        }
        if (name != "radius") {  // of which some lie beside the picture
            EXPECT_LE(tooFew, ofPicture ? few : 0) << h.range.first << " to " << h.range.second;
        }
        EXPECT_LE(tooMany, name == "error" ? few : 0);
        if (count > 2) {
            EXPECT_GT(h.count(), count / 3);
        }
        EXPECT_EQ(std::accumulate(h.selected.begin(), h.selected.end(), 0u), 0u);
    }
}

class SelectedQuantities : public testing::TestWithParam<SplatQuantity> {};

TEST_P(SelectedQuantities, ASelectionByARangeIsWhatTheBinsCount) {
    Counted counted(700, false);
    EditHistory history(testDevice(), counted.world.world);
    const Histogram before = counted.count(std::string(GetParam().name));
    ASSERT_GT(before.count(), 100u);
    const size_t first = 20, last = 90;
    const auto edge = [&](size_t bin) { return static_cast<float>(before.valueAt(static_cast<double>(bin) / kBins)); };
    const auto range = counted.world.view.numbersBetween(edge(first), edge(last + 1));
    ASSERT_TRUE(range.has_value());
    history.select(*range, Combine::set);
    history.finish();
    const Histogram after = counted.count(std::string(GetParam().name));
    EXPECT_EQ(after.all, before.all);
    EXPECT_EQ(std::accumulate(after.selected.begin(), after.selected.end(), 0u), history.counts().selected);
    for (size_t bin = 0; bin < kBins; ++bin) {
        const bool isEdge = bin + 1 == first || bin == last + 1;  // rounding may take one along
        const uint32_t expected = bin >= first && bin <= last ? after.all[bin] : 0;
        EXPECT_TRUE(isEdge || after.selected[bin] == expected) << bin << ": " << after.selected[bin] << ", expected " << expected;
    }
    history.undo();
    EXPECT_EQ(counted.count(std::string(GetParam().name)).selected, Histogram::Bins{});
}

std::string nameOf(const testing::TestParamInfo<SplatQuantity>& p) {
    std::string name(p.param.name);
    std::ranges::replace(name, '-', '_');
    return name;
}

/// Models in training, which alone have gradients, are not selected.
std::vector<SplatQuantity> ofEditableModels() {
    std::vector<SplatQuantity> found(splatQuantities().begin(), splatQuantities().end());
    std::erase_if(found, [](const SplatQuantity& q) { return q.need == RenderModeNeed::gradients; });
    return found;
}

INSTANTIATE_TEST_SUITE_P(All, Quantities, testing::ValuesIn(splatQuantities().begin(), splatQuantities().end()), nameOf);
INSTANTIATE_TEST_SUITE_P(All, SelectedQuantities, testing::ValuesIn(ofEditableModels()), nameOf);

TEST(SplatHistogram, HiddenModelsAndSplatsDoNotCount) {
    Counted counted(300, false);
    const World::Id other = counted.world.world.add("other", counted.scene.gaussians);
    counted.world.draw(counted.scene.camera);
    EXPECT_EQ(counted.count("opacity").count(), 600u);
    counted.world.world.setVisible(other, false);
    counted.world.draw(counted.scene.camera);
    EXPECT_EQ(counted.count("opacity").count(), 300u);
    for (uint32_t i = 0; i < 10; ++i) counted.world.mark(i, i % 2 == 0 ? shared::kMarkHidden : shared::kMarkDeleted);
    EXPECT_EQ(counted.count("opacity").count(), 290u);
}

TEST(SplatHistogram, AModelsScaleMultipliesItsSplats) {
    Counted counted(300, false);
    const Histogram once = counted.count("scale");
    counted.world.world.setTransform(0, {.scale = 3});
    counted.world.draw(counted.scene.camera);
    const Histogram thrice = counted.count("scale");
    EXPECT_NEAR(thrice.range.first, 3 * once.range.first, 1e-5 * thrice.range.first);
    EXPECT_NEAR(thrice.range.second, 3 * once.range.second, 1e-5 * thrice.range.second);
}

TEST(SplatHistogram, SaysWhatIsMissing) {
    Counted counted(50, false);
    const WorldView& view = counted.world.view;
    EXPECT_NE(view.missing(splatQuantityByName("gradient")), "");
    EXPECT_EQ(view.missing(splatQuantityByName("error")), "");
    counted.world.draw(counted.scene.camera, "depth");
    EXPECT_NE(view.missing(splatQuantityByName("error")), "") << "there are no colours in this picture";
    counted.world.view.askHistogram(splatQuantityByName("error"));
    EXPECT_FALSE(view.asksHistogram());
    counted.world.view.groundTruth.reset();
    counted.world.draw(counted.scene.camera, "colour");
    EXPECT_NE(view.missing(splatQuantityByName("error")), "");
    EXPECT_THROW(splatQuantityByName("weight"), InputError);
}

TEST(SplatHistogram, AnOutdatedOneSelectsNothing) {
    Counted counted(50, false);
    counted.count("opacity");
    EXPECT_TRUE(counted.world.view.numbersBetween(0, 1));
    counted.world.world.add("another", counted.scene.gaussians);
    EXPECT_FALSE(counted.world.view.numbersBetween(0, 1)) << "the buffers are others";
}

TEST(SplatHistogram, OfNothingIsEmpty) {
    WorldScene world;
    world.draw(reference::makeMixedScene(1, 20, 20, 1).camera);
    world.view.askHistogram(splatQuantityByName("scale"));
    testDevice().run("wait for the histogram", [](gpu::Commands&) {});
    const auto found = world.view.histogram();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->count(), 0u);
}

}  // namespace
}  // namespace splat
