#include "train/blob_steps.h"

#include <gtest/gtest.h>

#include <splatwright/train/model/optimizer.h>
#include "support/gpu_scene.h"
#include "train/step_buffer.h"
#include "train/trained_numbers.h"

namespace splat {

using reference::BlobNumbers;

namespace {

template <class Vector>
void append(Fields& fields, size_t first, const Vector& values, glm::length_t count) {
    for (glm::length_t k = 0; k < count; ++k) fields[first + static_cast<size_t>(k)].push_back(static_cast<double>(values[k]));
}

/// The first moments of every field.
Fields firstMoments(gpu::Device& device, const AdamMoments& moments, size_t n) {
    Fields fields;
    for (const auto& m : device.download<shared::Moments3>(moments[Attribute::means], n)) append(fields, 0, m.m, 2);
    for (const auto& m : device.download<shared::Moments3>(moments[Attribute::logScales], n)) append(fields, 2, m.m, 3);
    for (const auto& m : device.download<shared::Moments3>(moments[Attribute::sh0], n)) append(fields, 5, m.m, 3);
    for (const auto& m : device.download<shared::Moments1>(moments[Attribute::logitOpacities], n)) append(fields, 8, glm::vec1(m.m), 1);
    return fields;
}

Fields fieldsOf(const Gaussians& blobs) {
    Fields fields;
    for (size_t i = 0; i < blobs.count(); ++i) {
        append(fields, 0, blobs.means[i], 2);
        append(fields, 2, blobs.logScales[i], 3);
        append(fields, 5, blobs.sh[i], 3);
        append(fields, 8, glm::vec1(blobs.logitOpacities[i]), 1);
    }
    return fields;
}

}  // namespace

Gaussians stored(const std::vector<BlobNumbers>& blobs) {
    Gaussians g;
    g.resize(blobs.size(), 0);
    for (size_t i = 0; i < blobs.size(); ++i) {
        const BlobNumbers& b = blobs[i];
        g.means[i] = glm::dvec3(b[0], b[1], 0);
        g.logScales[i] = glm::dvec3(b[2], b[3], b[4]);
        g.sh[i] = glm::dvec3(b[5], b[6], b[7]);
        g.logitOpacities[i] = static_cast<float>(b[8]);
    }
    return g;
}

Step gpuStep(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row, const std::vector<BlobNumbers>& blobs,
             const ModelKind& kind, const BlobImage& image, const std::vector<glm::vec3>& gradient,
             const shared::StepParameters& parameters) {
    GpuScene scene(device, stored(blobs), image.camera, image.background);
    scene.model.kind = kind;
    const Forward forward(device, sort);
    gpu::Arena transient = scene.frame.transient();
    const BackwardBuffers backward(device, scene.frame.capacity, row, transient);
    const AdamMoments moments(device, scene.model.capacity);
    const gpu::Buffer colourGradients = device.buffer<glm::vec3>("colour gradients", gradient.size());
    device.upload(colourGradients, gradient);
    const gpu::Buffer training = device.buffer<shared::TrainingState>("training", 1);
    device.upload(training, std::vector{shared::TrainingState{}});
    const gpu::Buffer unused = device.buffer<shared::DensifyStatistics>("densification statistics", 1);
    const gpu::Buffer step = stepBuffer(device, parameters);
    const ViewSelection view = scene.selection();
    device.run("step", [&](gpu::Commands& c) {
        forward.record(c, scene.model, scene.frame, view);
        recordBackward(device, c, row,
                       {.model = scene.model, .frame = scene.frame, .buffers = backward, .view = view, .colourGradients = colourGradients});
        recordUpdate(c, {.model = scene.model,
                         .moments = moments,
                         .densifyStatistics = unused,
                         .frame = scene.frame,
                         .gradients = backward,
                         .view = view,
                         .step = step,
                         .training = training});
    });
    Step left{firstMoments(device, moments, blobs.size()), fieldsOf(scene.model.download(device, 0)),
              device.download<shared::TrainingState>(training, 1)[0].unusable};
    const Fields before = fieldsOf(stored(blobs));
    for (size_t k = 0; k < before.size(); ++k)
        for (size_t i = 0; i < before[k].size(); ++i) {
            left.gradients[k][i] /= 1 - shared::kBeta1;
            left.changes[k][i] -= before[k][i];
        }
    return left;
}

void expectClose(const Fields& found, const Fields& expected, double tolerance, const std::string& where) {
    for (size_t k = 0; k < expected.size(); ++k)
        EXPECT_LE(relativeError(found[k], expected[k]), tolerance) << where << ": " << reference::kBlobFields[k];
}

}  // namespace splat
