#include <splatwright/train/parts/check_settings.h>

#include <bit>

#include <splatwright/core/error.h>
#include <splatwright/render/backward.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/step_part.h>
#include <splatwright/train/settings/accumulation_setting.h>

namespace splat {

namespace {

bool isDownscale(uint32_t factor) { return factor <= 8 && std::has_single_bit(factor); }

}  // namespace

void checkTogether(const TrainSettings& settings) {
    if (settings.downscale != 0 && !isDownscale(settings.downscale))
        throw InputError("downscale: found '{}', expected 1, 2, 4, 8 or auto", settings.downscale);
    if (!isDownscale(settings.startDownscale))
        throw InputError("start_downscale: found '{}', expected 1, 2, 4 or 8", settings.startDownscale);
    constexpr uint32_t kLeastWithhold = 12;  // withholding more views than one of so many costs more quality than it tells
    if (settings.withhold > 0 && settings.withhold < kLeastWithhold)
        throw InputError("withhold is {}, expected 0 or at least {}", settings.withhold, kLeastWithhold);
    densifierByName(settings.strategy).check(settings);
    checkParts(settings);
    const AccumulationRow& row = accumulationOf(settings);
    if (settings.deterministic && !row.deterministic) {
        TrainSettings expected = settings;
        accumulateDeterministically(expected);
        throw InputError("deterministic: accumulate is '{}', which is not, expected '{}'", settings.accumulate, expected.accumulate);
    }
    if (settings.clampGradients && settings.accumulate == kAutomatic)
        throw InputError("clamp_gradients: accumulate is '{}', expected 'tree-cas', which alone can clamp", settings.accumulate);
}

}  // namespace splat
