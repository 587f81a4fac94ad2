#include <splatwright/train/evaluate/evaluate.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/train/evaluate/device_psnr.h>
#include <splatwright/train/evaluate/flat_picture.h>
#include <splatwright/train/evaluate/lpips.h>
#include <splatwright/train/evaluate/matched_colours.h>
#include <splatwright/train/evaluate/metrics.h>
#include "support/test_device.h"
#include "train/lpips_samples.h"

namespace splat {
namespace {

/// One big red splat in front of a camera.
Gaussians redSplat() {
    Gaussians g;
    g.resize(1, 0);
    g.means[0] = {0, 0, 3};
    g.logScales[0] = glm::vec3(-0.5f);
    g.logitOpacities[0] = 3;
    g.sh[0] = {1.5f, -1.5f, -1.5f};
    return g;
}

struct Fixture : testing::Test {
    Fixture() { model.upload(testDevice(), redSplat()); }

    Photograph rendered(const std::string& name, int width) {
        const Camera camera{width, kHeight, 30, 30, width / 2.0, kHeight / 2.0};
        return {name, camera, quantised(renderer.render(model, camera, background, 0))};
    }

    static constexpr int kHeight = 32;
    glm::vec3 background{0, 0.5f, 0};
    primitives::RadixSort sort{testDevice()};
    GaussianModel model{testDevice(), 1};
    Renderer renderer{testDevice(), sort};
};
using Evaluate = Fixture;

TEST_F(Evaluate, RendersAreEqualToThemselves) {
    const std::vector photographs{rendered("a", 32), rendered("b", 40)};
    std::vector<size_t> seen;
    const Evaluation e = evaluate(renderer, {model, 0, background}, photographs, [&](size_t view, const Image8& render) {
        seen.push_back(view);
        EXPECT_EQ(render.pixels, photographs[view].image.pixels);
    });
    EXPECT_EQ(seen, (std::vector<size_t>{0, 1}));
    ASSERT_EQ(e.views.size(), 2u);
    EXPECT_EQ(e.views[1].name, "b");
    EXPECT_TRUE(std::isinf(e.psnr));
    EXPECT_DOUBLE_EQ(e.ssim, 1);
}

TEST_F(Evaluate, ThePsnrOfEachViewIsThatOfTheEvaluationAndFiniteForEqualImages) {
    std::vector photographs{rendered("a", 32), rendered("b", 40)};
    EXPECT_EQ(viewPsnrs(renderer, {model, 0, background}, photographs, false), (std::vector<double>{100, 100}));
    for (Photograph& p : photographs)
        for (uint8_t& value : p.image.pixels) value = static_cast<uint8_t>(value / 2);
    const Evaluation e = evaluate(renderer, {model, 0, background}, photographs);
    EXPECT_EQ(viewPsnrs(renderer, {model, 0, background}, photographs, false), (std::vector{e.views[0].psnr, e.views[1].psnr}));
    EXPECT_NE(e.views[0].psnr, e.views[1].psnr);
    for (const double psnr : viewPsnrs(renderer, {model, 0, background}, photographs, true))
        EXPECT_GT(psnr, 45) << "half the brightness is a gain of a half";
}

/// A photograph of noise, so that squares of all sizes occur.
Photograph noise(int width, int height, uint32_t seed) {
    Photograph p{.name = "noise", .camera = {width, height, 30, 30, width / 2.0, height / 2.0}, .image = Image8(width, height, 3)};
    std::minstd_rand random(seed);
    for (uint8_t& value : p.image.pixels) value = static_cast<uint8_t>(random() >> 8u);
    return p;
}

TEST_F(Evaluate, ThePsnrOfTheDeviceIsThatOfTheHostForEverySizeAcrossGroups) {
    for (const int width : {1, 31, 255, 256, 257, 513}) {
        const std::vector photographs{noise(width, 1, 1), noise(8, 8, 2), noise(width, 3, 3)};
        const EvaluatedModel evaluated{model, 0, background};
        EXPECT_EQ(DevicePsnr(testDevice(), photographs, background).perView(renderer, evaluated),
                  viewPsnrs(renderer, evaluated, photographs, false))
            << width;
    }
}

TEST_F(Evaluate, ThePsnrOfTheDeviceKeepsToMasksAndTransparencyAsThatOfTheHost) {
    for (const Coverage covers : {Coverage::mask, Coverage::alpha}) {
        std::vector photographs{noise(64, 48, 4), noise(40, 24, 5)};
        for (Photograph& p : photographs) {
            p.covers = covers;
            p.coverage = Image8(p.image.width, p.image.height, 1);
            for (size_t i = 0; i < p.coverage.pixels.size(); ++i) p.coverage.pixels[i] = static_cast<uint8_t>(i);
        }
        const EvaluatedModel evaluated{model, 0, background};
        EXPECT_EQ(DevicePsnr(testDevice(), photographs, background).perView(renderer, evaluated),
                  viewPsnrs(renderer, evaluated, photographs, false));
    }
}

TEST_F(Evaluate, ThePsnrOfTheDeviceIsFiniteForEqualImagesAndSeesAChangeOfTheModel) {
    const std::vector photographs{rendered("a", 32), rendered("b", 40)};
    const DevicePsnr device(testDevice(), photographs, background);
    EXPECT_EQ(device.perView(renderer, {model, 0, background}), (std::vector<double>{kMostInMean, kMostInMean}));
    Gaussians fainter = redSplat();
    fainter.logitOpacities[0] = 0;
    model.upload(testDevice(), fainter);
    for (const double psnr : device.perView(renderer, {model, 0, background})) EXPECT_LT(psnr, 40);
}

/// Views of sizes and lenses that the splat fills or not: it is in 1 or 4 tiles of the small ones, in 36 and 64 of the others.
std::vector<Photograph> viewsNearAndFar() {
    std::vector<Photograph> photographs;
    for (const auto& [size, focal] : {std::pair{16, 8}, {96, 200}, {32, 20}, {128, 250}, {17, 9}}) {
        Photograph p = noise(size, size, static_cast<uint32_t>(size));
        p.camera.fx = p.camera.fy = focal;
        p.camera.cx = p.camera.cy = size / 2.0;
        photographs.push_back(p);
    }
    return photographs;
}

TEST_F(Evaluate, ThePsnrOfTheDeviceIsThatOfViewsDrawnAloneWhicheverOverflowAtFirst) {
    const std::vector photographs = viewsNearAndFar();
    const EvaluatedModel evaluated{model, 0, background};
    std::vector<double> alone;
    for (const Photograph& photograph : photographs) {
        Renderer another(testDevice(), sort);
        alone.push_back(DevicePsnr(testDevice(), {&photograph, 1}, background).perView(another, evaluated).front());
    }
    EXPECT_EQ(DevicePsnr(testDevice(), photographs, background).perView(renderer, evaluated), alone);
}

TEST_F(Evaluate, ViewsOnTheDeviceAreWaitedForOncePerSubmission) {
    const EvaluatedModel evaluated{model, 0, background};
    for (const auto& [views, expectedWaits] : {std::pair{1, 1u}, {32, 1u}, {33, 2u}}) {
        std::vector<Photograph> photographs;
        for (int i = 0; i < views; ++i) photographs.push_back(noise(16, 8 + i, static_cast<uint32_t>(i)));
        const DevicePsnr device(testDevice(), photographs, background);
        EXPECT_EQ(device.perView(renderer, evaluated), viewPsnrs(renderer, evaluated, photographs, false)) << views;
        const uint64_t waits = testDevice().waits();
        device.perView(renderer, evaluated);
        EXPECT_EQ(testDevice().waits() - waits, expectedWaits) << views;
    }
}

TEST(MatchedColours, UndoAGainAndAnOffsetPerChannelAndNothingElse) {
    Image8 render(16, 16, 3), photograph(16, 16, 3);
    for (size_t i = 0; i < render.pixels.size(); ++i) {
        const auto channel = i % 3;
        render.pixels[i] = static_cast<uint8_t>(i * 7 % 100);
        photograph.pixels[i] = static_cast<uint8_t>((channel + 1) * render.pixels[i] / 2 + 20 * channel);
    }
    const Image8 matched = matchedColours(render, photograph);
    for (size_t i = 0; i < render.pixels.size(); ++i) EXPECT_NEAR(matched.pixels[i], photograph.pixels[i], 1) << i;
    EXPECT_EQ(matchedColours(render, render).pixels, render.pixels);
    std::ranges::fill(render.pixels, uint8_t{80});  // of one colour: only an offset fits
    const Image8 flat = matchedColours(render, photograph);
    for (size_t i = 3; i < flat.pixels.size(); ++i) EXPECT_EQ(flat.pixels[i], flat.pixels[i - 3]);
    std::ranges::reverse(photograph.pixels);  // nothing in common: the mean colour is closest, and no gain invents a likeness
    EXPECT_LT(psnr(matchedColours(render, photograph), photograph), 25);
}

TEST_F(Evaluate, MeansAreThoseOfTheViews) {
    std::vector photographs{rendered("a", 32), rendered("b", 40)};
    for (uint8_t& value : photographs[0].image.pixels) value = static_cast<uint8_t>(255 - value);
    for (uint8_t& value : photographs[1].image.pixels) value = static_cast<uint8_t>(value / 2);
    const Evaluation e = evaluate(renderer, {model, 0, background}, photographs);
    EXPECT_DOUBLE_EQ(e.psnr, (e.views[0].psnr + e.views[1].psnr) / 2);
    EXPECT_DOUBLE_EQ(e.ssim, (e.views[0].ssim + e.views[1].ssim) / 2);
    EXPECT_LT(e.views[0].psnr, e.views[1].psnr);
}

TEST_F(Evaluate, WhatAMaskHidesCountsAsRight) {
    Photograph photograph = rendered("a", 32);
    for (size_t i = 0; i < 30; ++i) photograph.image.pixels[i] = static_cast<uint8_t>(255 - photograph.image.pixels[i]);
    EXPECT_LT(evaluate(renderer, {model, 0, background}, std::vector{photograph}).psnr, 40);
    photograph.covers = Coverage::mask;
    photograph.coverage = Image8(photograph.image.width, photograph.image.height, 1);
    std::fill(photograph.coverage.pixels.begin() + 10, photograph.coverage.pixels.end(), uint8_t{255});
    EXPECT_TRUE(std::isinf(evaluate(renderer, {model, 0, background}, std::vector{photograph}).psnr));
}

TEST_F(Evaluate, KeptAlphaIsComparedOverTheBackground) {
    Photograph photograph = rendered("a", 32);
    photograph.covers = Coverage::alpha;
    photograph.coverage = Image8(photograph.image.width, photograph.image.height, 1);
    for (size_t i = 0; i < photograph.coverage.pixels.size(); ++i) {
        uint8_t* rgb = &photograph.image.pixels[3 * i];
        const bool empty = rgb[0] == 0 && rgb[1] == 128 && rgb[2] == 0;
        photograph.coverage.pixels[i] = empty ? 0 : 255;
        if (empty) rgb[2] = 99;  // a colour that nobody sees
    }
    EXPECT_TRUE(std::isinf(evaluate(renderer, {model, 0, background}, std::vector{photograph}).psnr));
}

TEST_F(Evaluate, LpipsIsComputedPerViewIfANetworkIsGiven) {
    Lpips lpips(testDevice(), test::randomLpipsWeights(lpipsNetworks()[1], 1));
    std::vector photographs{rendered("a", 32), rendered("b", 40)};
    EXPECT_FALSE(evaluate(renderer, {model, 0, background}, photographs).lpips);
    for (uint8_t& value : photographs[1].image.pixels) value = static_cast<uint8_t>(255 - value);
    const Evaluation e = evaluate(renderer, {model, 0, background}, photographs, {}, &lpips);
    EXPECT_EQ(e.views[0].lpips, 0);
    EXPECT_GT(e.views[1].lpips, 0.01);
    EXPECT_EQ(e.lpips, *e.views[1].lpips / 2);
}

TEST_F(Evaluate, LpipsOfTooSmallAnImageIsRefusedBeforeTheFirstRender) {
    Lpips lpips(testDevice(), test::randomLpipsWeights(lpipsNetworks()[1], 1));
    const std::vector photographs{rendered("a", 32), rendered("narrow.png", 30)};
    size_t renders = 0;
    test::expectInputError(
        [&] {
            evaluate(
                renderer, {model, 0, background}, photographs, [&](size_t, const Image8&) { ++renders; }, &lpips);
        },
        {"narrow.png", "30x32", "31x31"});
    EXPECT_EQ(renders, 0u);
}

TEST_F(Evaluate, ScoresFlatPicturesToo) {
    const std::vector photographs{rendered("a", 32), rendered("b", 24)};
    const Evaluation e = evaluate(renderer, {model, 0, background}, photographs);
    for (size_t i = 0; i < 2; ++i) EXPECT_EQ(e.views[i].flatPsnr, psnr(flatPicture(photographs[i], background), photographs[i].image)) << i;
    EXPECT_EQ(e.flatPsnr, (*e.views[0].flatPsnr + *e.views[1].flatPsnr) / 2);
}

TEST_F(Evaluate, NoViewsHaveNoScore) {
    const Evaluation e = evaluate(renderer, {model, 0, background}, {});
    EXPECT_TRUE(e.views.empty());
    EXPECT_TRUE(std::isnan(e.psnr) && std::isnan(e.ssim));
}

TEST_F(Evaluate, StripShowsAtMostFourViews) {
    const std::vector<Photograph> photographs(9, rendered("a", 32));
    const Image8 strip = comparisonStrip(renderer, {model, 0, background}, photographs);
    EXPECT_GE(strip.width, 3 * 32);
    constexpr int kCaption = 20;  // pixels above each row, at the smallest size of the font
    EXPECT_GE(strip.height, 4 * (kCaption + kHeight));
    EXPECT_LT(strip.height, 5 * (kCaption + kHeight));
}

TEST(SpreadEvenly, TakesAllOfFewAndSomeOfMany) {
    EXPECT_EQ(spreadEvenly(0, 4), std::vector<size_t>{});
    EXPECT_EQ(spreadEvenly(3, 4), (std::vector<size_t>{0, 1, 2}));
    EXPECT_EQ(spreadEvenly(8, 4), (std::vector<size_t>{0, 2, 4, 6}));
    EXPECT_EQ(spreadEvenly(9, 4), (std::vector<size_t>{0, 2, 4, 6}));
}

}  // namespace
}  // namespace splat
