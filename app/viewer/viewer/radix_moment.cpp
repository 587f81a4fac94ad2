#include "viewer/viewer/radix_moment.h"

#include <splatwright/shared/primitives.h>

namespace splat::app {

namespace {

size_t momentsOfPass(const explain::PixelLook& look) { return look.unsorted.keys.size() + 1; }

}  // namespace

RadixMoment::Key RadixMoment::key(size_t index) const {
    return {.index = index, .digit = before.keys[index] >> pass.firstBit & (shared::kSortDigits - 1), .place = pass.places[index]};
}

std::optional<RadixMoment::Key> RadixMoment::current() const { return moved > 0 ? std::optional(key(moved - 1)) : std::nullopt; }

size_t radixMoments(const explain::PixelLook& look) { return look.radix.passes.size() * momentsOfPass(look); }

RadixMoment radixMoment(const explain::PixelLook& look, size_t index) {
    const auto& passes = look.radix.passes;
    const size_t pass = index / momentsOfPass(look);
    return {.passIndex = pass,
            .pass = passes[pass],
            .before = pass == 0 ? look.unsorted : passes[pass - 1].after,
            .moved = index % momentsOfPass(look)};
}

}  // namespace splat::app
