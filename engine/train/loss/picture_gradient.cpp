#include <splatwright/train/loss/picture_gradient.h>

#include <splatwright/train/loss/photometric.h>

namespace splat {

gpu::Buffer photometricGradient(gpu::Device& device, const FrameBuffers& frame, const shared::FrameParameters& parameters,
                                const Targets& targets, glm::uvec2 size, const PhotometricWeights& weights) {
    gpu::Buffer gradient = device.buffer<glm::vec3>("colour gradients", size_t{size.x} * size.y);
    const gpu::Buffer memory = device.buffer<std::byte>("loss scratch", LossScratch::bytes(size.x, size.y));
    const gpu::Buffer sums = device.buffer<shared::LossSums>("loss sums", 1);
    const gpu::Buffer step = device.buffer<shared::StepParameters>("step parameters", 1);
    device.upload(step, std::vector{shared::StepParameters{.frame = parameters}});
    gpu::Arena arena(memory);
    const LossScratch scratch(device, arena, size.x, size.y);
    const LossInputs inputs{.colour = frame.colours,
                            .target = targets.of(0),
                            .width = size.x,
                            .height = size.y,
                            .ssimLambda = weights.ssimLambda,
                            .l2Share = weights.l2Share,
                            .step = step,
                            .coverage = targets.coverage()};
    device.run("loss", [&](gpu::Commands& c) { recordPhotometricLoss(c, inputs, scratch, {.gradient = gradient, .sums = sums}); });
    return gradient;
}

}  // namespace splat
