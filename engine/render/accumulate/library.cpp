#include <splatwright/render/accumulate/per_pixel.h>
#include "kernels/blend_backward_pixel.h"
#include "kernels/blend_backward_pixel_cas.h"
#include "kernels/blend_backward_pixel_library.h"
#include "kernels/blend_backward_pixel_library_cas.h"
#include "kernels/count_additions.h"
#include "kernels/count_additions_library.h"

namespace splat {

extern const AccumulationRow kLibrary{
    .name = "library",
    .help = "one thread per pixel; the subgroup's own addition, then one atomic addition per value",
    .record = recordPerPixel<kernels::blend_backward_pixel_library, kernels::blend_backward_pixel_library_cas,
                             kernels::blend_backward_pixel, kernels::blend_backward_pixel_cas>,
    .count = recordPerPixel<kernels::count_additions_library, kernels::count_additions>,
    .withSubgroups = infosOf<kernels::blend_backward_pixel_library, kernels::blend_backward_pixel_library_cas>,
};

}  // namespace splat
