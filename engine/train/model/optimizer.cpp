#include <splatwright/train/model/optimizer.h>

#include <splatwright/train/model/trained_kind.h>

namespace splat {

AdamMoments::AdamMoments(gpu::Device& device, uint32_t capacity)
    : AttributeBuffers(device, "moments of", &AttributeRow::momentWords, capacity) {
    device.run("clear moments", [&](gpu::Commands& c) {
        for (const PlanarBuffer& planes : all())
            for (const gpu::Buffer& buffer : planes.buffers()) c.fill(buffer, 0);
    });
}

void recordUpdate(gpu::Commands& c, const UpdateJob& job) {
    c.stage("update");
    trainedKind(job.model.kind).recordUpdate(c, job);
}

}  // namespace splat
