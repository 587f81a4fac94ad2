#include <splatwright/train/loss/pixel_values.h>

#include <splatwright/core/error.h>
#include "kernels/pixel_values.h"

namespace splat {

void recordPixelValues(gpu::Commands& c, const PixelValueJob& job) {
    const uint64_t pixels = uint64_t{job.width} * job.height;
    SPLAT_CHECK(job.kind != PixelValue::none && job.values.bytes >= pixels * sizeof(float), "{} bytes of values for {} pixels",
                job.values.bytes, pixels);
    gpu::BufferSlice colour = job.colour;
    colour.stride = 0;  // float3 as floats
    c.dispatch(kernels::pixel_values{.colour = colour,
                                     .target = job.target,
                                     .step = job.step,
                                     .pixelValues = job.values,
                                     .size = {job.width, job.height},
                                     .errorThreshold = job.errorThreshold,
                                     .kPixelValue = static_cast<uint32_t>(job.kind),
                                     .kCoverage = static_cast<uint32_t>(job.coverage)},
               pixels);
}

}  // namespace splat
