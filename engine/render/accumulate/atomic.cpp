#include <splatwright/render/accumulate/per_pixel.h>
#include "kernels/blend_backward_pixel.h"
#include "kernels/blend_backward_pixel_cas.h"
#include "kernels/count_additions.h"

namespace splat {

extern const AccumulationRow kAtomic{
    .name = "atomic",
    .help = "one thread per pixel; one native float atomic per pixel and value: the baseline of the literature",
    .baseline = true,
    .record = recordPerPixel<kernels::blend_backward_pixel, kernels::blend_backward_pixel_cas>,
    .count = recordPerPixel<kernels::count_additions>,
};

}  // namespace splat
