#include <splatwright/train/step/check_training.h>

#include <splatwright/core/error.h>
#include <splatwright/core/settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/model/trained_kind.h>
#include <splatwright/train/parts/check_settings.h>

namespace splat {

namespace {

void refuseRestart(TrainSettings from, TrainSettings to) {
    const auto before = settingFields(from), after = settingFields(to);
    for (size_t i = 0; i < before.size(); ++i) {
        const std::string found = settingText(after[i]), expected = settingText(before[i]);
        if (!before[i].about.restart || found == expected) continue;
        throw InputError("{} is '{}', expected '{}' as at the start: only a new start can change it", before[i].name, found, expected);
    }
}

}  // namespace

void checkCount(uint64_t gaussians, const TrainSettings& settings) {
    if (settings.maxSplats > 0 && gaussians > settings.maxSplats)
        throw InputError("max_splats is {}, expected 0 or at least {}, the Gaussians that there are", settings.maxSplats, gaussians);
}

void checkChange(const TrainSettings& from, const TrainSettings& to, const ModelKind& kind, uint32_t stepsDone) {
    refuseRestart(from, to);
    checkTogether(to);
    if (const SettingUse subject = trainedKind(kind).subject; trainedKind(to).subject != subject)
        throw InputError("strategy is '{}', expected one that trains {}, as at the start", to.strategy, nameOf(subject));
    if (to.steps < stepsDone) throw InputError("steps is {}, expected at least {}, which are done", to.steps, stepsDone);
}

}  // namespace splat
