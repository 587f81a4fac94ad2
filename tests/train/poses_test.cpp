#include <splatwright/train/parts/poses.h>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/render/renderer.h>
#include <splatwright/train/evaluate/metrics.h>
#include "reference/filter.h"
#include "reference/poses.h"
#include "reference/scenes.h"
#include "support/accumulation_rows.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/photometric_value.h"
#include "train/step_buffer.h"

namespace splat {
namespace {

const glm::vec3 kBackground{0.3f, 0.1f, 0.5f};
constexpr double kWeightDecay = 1e-6;

reference::PoseOffset asDouble(const shared::PoseOffset& offset) {
    return {.translation = offset.translation, .rotation = offset.rotation};
}

const gpu::Buffer& bufferOf(const Poses& poses, const std::string& name) {
    for (const auto& [key, buffer] : poses.state())
        if (key == name) return *buffer;
    throw std::out_of_range(name);
}

/// One view of a scene whose camera is refined.
struct Bench {
    Bench(gpu::Device& d, const primitives::RadixSort& sort, const AccumulationRow& rowOf, const reference::Scene& scene, float rate,
          uint32_t instances = 1u << 16u)
        : device(d),
          row(rowOf),
          gpuScene(d, scene.gaussians, scene.camera, kBackground, instances),
          forward(d, sort),
          transient(gpuScene.frame.transient()),
          backward(d, gpuScene.frame.capacity, rowOf, transient),
          cameras{scene.camera},
          poses(d, {&gpuScene.views, 1}, cameras, 3),
          parameters(stepBuffer(d, {.frame = {.background = kBackground}, .parts = {0, 0, 0, rate}})),
          colourGradients(d.buffer<glm::vec3>("colour gradients", gpuScene.frame.capacity.pixels())) {}

    void step(const std::vector<glm::vec3>& gradient) const {
        device.upload(colourGradients, gradient);
        device.run("step", [&](gpu::Commands& c) { record(c); });
    }
    void record(gpu::Commands& c) const {
        const ViewSelection view = gpuScene.selection();
        forward.record(c, gpuScene.model, gpuScene.frame, view);
        recordBackward(device, c, row, {gpuScene.model, gpuScene.frame, backward, view, colourGradients});
        recordPose(c, view);
    }
    void recordPose(gpu::Commands& c, const ViewSelection& view) const {
        const StepJob job{.view = view, .model = gpuScene.model, .frame = gpuScene.frame, .gradients = &backward, .parameters = parameters};
        poses.recordAfterBackward(c, job);
        poses.recordAfterUpdate(c, job);
    }
    /// Puts the camera there without a step: the learning rate must be 0.
    void place(const shared::PoseOffset& offset) const {
        device.upload(bufferOf(poses, "pose_twists"), std::vector{offset});
        step(std::vector<glm::vec3>(gpuScene.frame.capacity.pixels(), glm::vec3(0)));
        device.run("forget", [&](gpu::Commands& c) {
            c.fill(bufferOf(poses, "pose_moments"), 0);
            c.fill(bufferOf(poses, "pose_corrections"), 0);
        });
    }

    gpu::Device& device;
    const AccumulationRow& row;
    GpuScene gpuScene;
    Forward forward;
    gpu::Arena transient;
    BackwardBuffers backward;
    std::vector<Camera> cameras;
    Poses poses;
    gpu::Buffer parameters;
    gpu::Buffer colourGradients;
};

/// Random, and zero where a threshold decides, since there single precision may see another contributor.
std::vector<glm::vec3> pictureGradient(const reference::Rendering& picture) {
    Rng rng(11);
    std::vector<glm::vec3> gradient(picture.nearCut.pixels.size());
    for (size_t p = 0; p < gradient.size(); ++p) {
        const glm::vec3 random(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        gradient[p] = picture.nearCut.pixels[p] ? glm::vec3(0) : random;
    }
    return gradient;
}

/// Gradient by the offset from the first moments after one step.
reference::PoseOffset found(const Bench& bench) {
    const auto moments = bench.device.download<shared::Moments3>(bufferOf(bench.poses, "pose_moments"), 2);
    return {.translation = glm::dvec3(moments[0].m) * 10.0, .rotation = glm::dvec3(moments[1].m) * 10.0};
}

/// The splats are those that are drawn: with their filters applied.
void expectTheReferences(const Bench& bench, const reference::Scene& scene, const reference::Splats& splats, const shared::PoseOffset& at,
                         const std::string& where) {
    bench.place(at);
    const reference::PoseOffset offset = asDouble(at);
    const Camera camera = reference::moved(scene.camera, offset);
    const reference::Settings settings{.background = kBackground, .antialiased = scene.gaussians.antialiased};
    const auto gradient = pictureGradient(reference::render(splats, camera, settings));
    reference::PictureGradient picture{.colour = Image<double>(camera.width, camera.height, 3), .transmittance = {}};
    for (size_t i = 0; i < picture.colour.pixels.size(); ++i) picture.colour.pixels[i] = gradient[i / 3][static_cast<int>(i % 3)];
    const auto expected = reference::poseOffsetGradient(offset, reference::backward(splats, camera, settings, picture).camera);

    bench.step(gradient);
    const reference::PoseOffset computed = found(bench);
    EXPECT_LE(glm::distance(computed.translation, expected.translation + kWeightDecay * offset.translation),
              1e-4 * glm::length(expected.translation))
        << where;
    EXPECT_LE(glm::distance(computed.rotation, expected.rotation + kWeightDecay * offset.rotation), 1e-4 * glm::length(expected.rotation))
        << where;
}

void expectTheReferences(const Bench& bench, const reference::Scene& scene, const shared::PoseOffset& at, const std::string& where) {
    expectTheReferences(bench, scene, reference::fromGaussians(scene.gaussians), at, where);
}

constexpr shared::PoseOffset kOffsets[] = {
    {{0, 0, 0}, {0, 0, 0}}, {{1e-3f, -2e-3f, 5e-4f}, {2e-4f, 1e-4f, -3e-4f}}, {{-0.1f, 0.2f, 0.1f}, {0.05f, -0.1f, 0.3f}}};

class PoseGradients : public testing::TestWithParam<std::string> {};

TEST_P(PoseGradients, AgreeWithTheDoubleReference) {
    for (const std::string name : {"mixed", "offScreen", "elongated", "equalDepths"}) {
        const reference::Scene scene = reference::makeScene(name, 3);
        const Bench bench(testDevice(), testSort(), accumulationByName(GetParam()), scene, 0);
        for (const shared::PoseOffset& offset : kOffsets) expectTheReferences(bench, scene, offset, name);
    }
}

TEST_P(PoseGradients, AgreeForModelsWith3dFilters) {
    const reference::Scene scene = reference::makeScene("mixed", 7);
    std::vector<float> variances;
    for (const glm::vec3& logScale : scene.gaussians.logScales) variances.push_back(std::exp(2 * logScale.x));
    Bench bench(testDevice(), testSort(), accumulationByName(GetParam()), scene, 0);
    bench.gpuScene.model.filter3d(testDevice(), true);
    testDevice().upload(bench.gpuScene.model.filterVariances, variances);
    const auto splats =
        reference::filtered(reference::fromGaussians(scene.gaussians), std::vector<double>(variances.begin(), variances.end()));
    expectTheReferences(bench, scene, splats, kOffsets[1], "filtered");
}

TEST_P(PoseGradients, AgreeForAntialiasedModels) {
    reference::Scene scene = reference::makeScene("mixed", 3);
    for (glm::vec3& scale : scene.gaussians.logScales) scale -= 1.1f;
    scene.gaussians.antialiased = true;
    const Bench bench(testDevice(), testSort(), accumulationByName(GetParam()), scene, 0);
    expectTheReferences(bench, scene, kOffsets[1], "antialiased");
}

INSTANTIATE_TEST_SUITE_P(Rows, PoseGradients, testing::Values("bucket", "fixed-point"), accumulationTestName);

// More gaussians than one thread each in the first stage of the sum.
TEST(Poses, GradientsOfManyGaussiansAgree) {
    const reference::Scene scene = reference::makeMixedScene(140'000, 16, 16, 4, 1);
    const Bench bench(testDevice(), testSort(), accumulationByName("bucket"), scene, 0, 1u << 20u);
    expectTheReferences(bench, scene, kOffsets[0], "many");
}

// Beside a picture's gradient the weight decay is too small to be seen.
TEST(Poses, WithoutAGradientOfThePictureThereIsTheWeightDecay) {
    const reference::Scene scene = reference::makeScene("mixed", 3);
    const Bench bench(testDevice(), testSort(), accumulationByName("bucket"), scene, 0);
    for (const shared::PoseOffset& offset : kOffsets) {
        bench.place(offset);
        bench.step(std::vector<glm::vec3>(bench.gpuScene.frame.capacity.pixels(), glm::vec3(0)));
        const reference::PoseOffset decay = found(bench), at = asDouble(offset);
        EXPECT_LE(glm::distance(decay.translation, kWeightDecay * at.translation), 1e-12);
        EXPECT_LE(glm::distance(decay.rotation, kWeightDecay * at.rotation), 1e-12);
    }
}

TEST(Poses, TheViewIsThatOfTheMovedCamera) {
    const reference::Scene scene = reference::makeScene("mixed", 3);
    const Bench bench(testDevice(), testSort(), accumulationByName("bucket"), scene, 0);
    for (const shared::PoseOffset& offset : kOffsets) {
        bench.place(offset);
        const auto view = testDevice().download<shared::ViewParameters>(bench.gpuScene.views, 1)[0];
        const shared::ViewParameters expected = viewParameters(reference::moved(scene.camera, asDouble(offset)));
        const std::pair<glm::vec3, glm::vec3> pairs[] = {{view.right, expected.right},
                                                         {view.down, expected.down},
                                                         {view.forward, expected.forward},
                                                         {view.translation, expected.translation},
                                                         {view.position, expected.position}};
        for (const auto& [is, shouldBe] : pairs) EXPECT_LT(glm::distance(is, shouldBe), 1e-6);
        EXPECT_EQ(view.focal, expected.focal);
        EXPECT_EQ(view.size, expected.size);
        const Camera refined = bench.poses.movedCameras()[0];
        EXPECT_LT(glm::distance(glm::vec3(refined.position()), expected.position), 1e-6);
    }
}

TEST(Poses, AHaltedStepChangesNothing) {
    const reference::Scene scene = reference::makeScene("mixed", 3);
    const Bench bench(testDevice(), testSort(), accumulationByName("bucket"), scene, 0.1f, 16);
    const auto before = testDevice().download<uint32_t>(bench.gpuScene.views.words(), sizeof(shared::ViewParameters) / 4);
    bench.step(std::vector<glm::vec3>(bench.gpuScene.frame.capacity.pixels(), glm::vec3(1)));
    EXPECT_EQ(testDevice().download<shared::FrameState>(bench.gpuScene.frame.state, 1)[0].halted, 1u);
    EXPECT_EQ(testDevice().download<uint32_t>(bench.gpuScene.views.words(), before.size()), before);
    for (const char* name : {"pose_twists", "pose_moments", "pose_corrections"}) {
        const gpu::Buffer& buffer = bufferOf(bench.poses, name);
        for (const uint32_t word : testDevice().download<uint32_t>(buffer.words(), buffer.bytes() / 4)) EXPECT_EQ(word, 0u) << name;
    }
}

TEST(Poses, RerunsAreBitIdenticalWhereTheRowIs) {
    const reference::Scene scene = reference::makeScene("crowdedTile", 9);
    const auto run = [&] {
        const Bench bench(testDevice(), testSort(), accumulationByName("fixed-point"), scene, 1e-3f);
        for (int i = 0; i < 3; ++i) bench.step(std::vector<glm::vec3>(bench.gpuScene.frame.capacity.pixels(), {0.3f, -0.2f, 0.7f}));
        const gpu::Buffer& twists = bufferOf(bench.poses, "pose_twists");
        return testDevice().download<uint32_t>(twists.words(), 6);
    };
    EXPECT_EQ(run(), run());
}

/// Distance of two cameras: of their places, and the angle between them in radians.
glm::dvec2 apart(const Camera& a, const Camera& b) {
    const glm::dmat3 between = a.rotation * glm::transpose(b.rotation);
    const double trace = between[0][0] + between[1][1] + between[2][2];
    return {glm::distance(a.position(), b.position()), std::acos(std::min(1.0, (trace - 1) / 2))};
}

// The photograph comes from the true camera, training starts from another.
TEST(Poses, APerturbedCameraMovesBack) {
    reference::Scene scene = reference::makeMixedScene(200, 64, 48, 6);
    const Camera truth = scene.camera;
    GaussianModel model(testDevice(), 200);
    model.upload(testDevice(), scene.gaussians);
    Renderer renderer(testDevice(), testSort());
    const Image8 photograph = quantised(renderer.render(model, truth, kBackground, 3));
    std::vector<uint32_t> target;
    for (size_t p = 0; p < photograph.pixels.size(); p += 3)
        target.push_back(photograph.pixels[p] | uint32_t{photograph.pixels[p + 1]} << 8u | uint32_t{photograph.pixels[p + 2]} << 16u);

    scene.camera = movedCamera(truth, {{0.03f, -0.02f, 0.04f}, {0.01f, -0.015f, 0.02f}});
    const Bench bench(testDevice(), testSort(), accumulationByName("fixed-point"), scene, 1e-3f);
    const gpu::Buffer targets = testDevice().buffer<uint32_t>("target", target.size());
    testDevice().upload(targets, target);
    const gpu::Buffer sums = testDevice().buffer<shared::LossSums>("sums", 1);
    const gpu::Buffer memory = testDevice().buffer<std::byte>("scratch", LossScratch::bytes(64, 48));
    gpu::Arena arena(memory);
    const LossScratch scratch(testDevice(), arena, 64, 48);
    const auto loss = [&] { return lossValue(testDevice().download<shared::LossSums>(sums, 1)[0], 64, 48, 0.2f).total; };
    gpu::Commands step(testDevice(), "step");
    const ViewSelection view = bench.gpuScene.selection();
    bench.forward.record(step, bench.gpuScene.model, bench.gpuScene.frame, view);
    recordPhotometricLoss(step,
                          {.colour = bench.gpuScene.frame.colours, .target = targets, .width = 64, .height = 48, .step = bench.parameters},
                          scratch, {bench.colourGradients, sums});
    recordBackward(testDevice(), step, bench.row,
                   {bench.gpuScene.model, bench.gpuScene.frame, bench.backward, view, bench.colourGradients});
    bench.recordPose(step, view);
    step.end();

    double first = 0;
    for (int i = 0; i < 150; ++i) {
        testDevice().wait(testDevice().submit(step));
        if (i == 0) first = loss();
    }
    EXPECT_LT(loss(), 0.1 * first);
    const glm::dvec2 before = apart(scene.camera, truth), after = apart(bench.poses.movedCameras()[0], truth);
    EXPECT_LT(after.x, 0.05 * before.x);
    EXPECT_LT(after.y, 0.05 * before.y);
}

}  // namespace
}  // namespace splat
