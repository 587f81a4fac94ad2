#include <splatwright/render/accumulate/per_pixel.h>
#include "kernels/blend_backward_pixel.h"
#include "kernels/blend_backward_pixel_cas.h"
#include "kernels/blend_backward_pixel_serial.h"
#include "kernels/blend_backward_pixel_serial_cas.h"
#include "kernels/count_additions.h"
#include "kernels/count_additions_serial.h"

namespace splat {

extern const AccumulationRow kSerial{
    .name = "serial",
    .help = "one thread per pixel; subgroups with enough active lanes are summed lane by lane (ARC's SW-S)",
    .balanced = true,
    .record = recordPerPixel<kernels::blend_backward_pixel_serial, kernels::blend_backward_pixel_serial_cas, kernels::blend_backward_pixel,
                             kernels::blend_backward_pixel_cas>,
    .count = recordPerPixel<kernels::count_additions_serial, kernels::count_additions>,
    .withSubgroups = infosOf<kernels::blend_backward_pixel_serial, kernels::blend_backward_pixel_serial_cas>,
};

}  // namespace splat
