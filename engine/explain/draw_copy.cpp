#include <splatwright/explain/draw_copy.h>

#include <iterator>
#include <vector>

namespace splat::explain {

GaussianModel copyForDraw(gpu::Device& device, const ModelPlace& from, uint32_t count, int shDegree) {
    GaussianModel copy(device, count);
    device.run("copy of a model", [&](gpu::Commands& c) {
        for (size_t a = 0; a < std::size(kAttributes); ++a)
            for (uint32_t p = planesAt(kAttributes[a], shDegree); p < copy.attributes.all()[a].planes(); ++p)
                c.fill(copy.attributes.all()[a].slice(p, 0, count), 0);
        recordCopy(c, from, {.model = copy}, count, shDegree);
    });
    device.upload(copy.count, std::vector{count});
    return copy;
}

}  // namespace splat::explain
