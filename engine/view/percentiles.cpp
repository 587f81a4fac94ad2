#include <splatwright/view/percentiles.h>

#include <splatwright/shared/viewer.h>
#include "kernels/choose_digits.h"
#include "kernels/count_digits.h"

namespace splat {

Percentiles::Percentiles(gpu::Device& device)
    : bins_(device.buffer<uint32_t>("bins of digits", shared::kNumberBins)),
      search_(device.buffer<shared::PercentileSearch>("search for percentiles", 1)) {}

void Percentiles::record(gpu::Commands& c, gpu::BufferSlice numbers, uint32_t count, gpu::BufferSlice range, bool fromZero) const {
    c.fill(bins_, 0);
    for (uint32_t digit = 0; digit < shared::kNumberDigits; ++digit) {
        c.dispatch(kernels::count_digits{.numbers = numbers, .search = search_, .bins = bins_, .numberCount = count, .digit = digit},
                   (uint64_t{count} + shared::kNumbersPerThread - 1) / shared::kNumbersPerThread);
        c.dispatchGroups(
            kernels::choose_digits{.bins = bins_, .search = search_, .range = range, .digit = digit, .fromZero = fromZero ? 1u : 0u}, 1);
    }
}

}  // namespace splat
