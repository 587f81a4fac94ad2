#include <splatwright/render/accumulate/per_pixel.h>
#include "kernels/blend_backward_pixel.h"
#include "kernels/blend_backward_pixel_butterfly.h"
#include "kernels/blend_backward_pixel_butterfly_cas.h"
#include "kernels/blend_backward_pixel_cas.h"
#include "kernels/count_additions.h"
#include "kernels/count_additions_butterfly.h"

namespace splat {

extern const AccumulationRow kSubgroup{
    .name = "subgroup",
    .help = "one thread per pixel; subgroups with enough active lanes are reduced by butterfly exchanges (ARC's SW-B)",
    .balanced = true,
    .record = recordPerPixel<kernels::blend_backward_pixel_butterfly, kernels::blend_backward_pixel_butterfly_cas,
                             kernels::blend_backward_pixel, kernels::blend_backward_pixel_cas>,
    .count = recordPerPixel<kernels::count_additions_butterfly, kernels::count_additions>,
    .withSubgroups = infosOf<kernels::blend_backward_pixel_butterfly, kernels::blend_backward_pixel_butterfly_cas>,
};

}  // namespace splat
