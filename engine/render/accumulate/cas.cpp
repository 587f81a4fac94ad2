#include <splatwright/render/accumulate/per_pixel.h>
#include "kernels/blend_backward_pixel_cas.h"
#include "kernels/count_additions.h"

namespace splat {

extern const AccumulationRow kCas{
    .name = "cas",
    .help = "like atomic, but by compare and swap",
    .baseline = true,
    .record = recordPerPixel<kernels::blend_backward_pixel_cas>,
    .count = recordPerPixel<kernels::count_additions>,
};

}  // namespace splat
