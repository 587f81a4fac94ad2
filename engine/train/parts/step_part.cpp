#include <splatwright/train/parts/step_part.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(StepPartRow, kStepParts, kHealthPart, kTransientsPart, kColourChangesPart, kExposurePart, kColourGridPart, kPosePart,
            kSamplingFilterPart, kPixelValuePart, kBlendSumsPart, kDepthPart, kRegionPart, kAveragePart);

std::span<const StepPartRow* const> stepPartTable() { return kStepParts; }

std::vector<SettingsPart> stepPartSettings() { return settingsOfRows(kStepParts); }

void checkParts(const TrainSettings& settings) {
    const StepPartRow* transforms = nullptr;
    for (const StepPartRow* row : kStepParts) {
        if (!row->wanted(settings)) continue;
        row->check(settings);
        if (!row->transformsColours) continue;
        if (transforms)
            throw InputError("{} and {} are both on, expected at most one of them: both transform colours", transforms->name, row->name);
        transforms = row;
    }
}

uint32_t placeOfNumber(const StepPartRow& row) {
    uint32_t place = 0;
    for (const StepPartRow* before : kStepParts) {
        if (before == &row) break;
        place += before->number ? 1 : 0;
    }
    return place;
}

std::array<float, shared::kMostStepParts> partNumbers(const TrainSettings& settings, uint32_t step, double rateScale) {
    std::array<float, shared::kMostStepParts> numbers{};
    size_t place = 0;  // placeOfNumber()
    for (const StepPartRow* row : kStepParts) {
        if (row->number) numbers.at(place++) = static_cast<float>((row->isRate ? rateScale : 1) * row->number(settings, step));
    }
    return numbers;
}

void keepForParts(GaussianStore& store, const TrainSettings& settings) {
    for (const StepPartRow* row : kStepParts) {
        if (row->keep) row->keep(store, row->wanted(settings));
    }
}

bool keepTheSame(const TrainSettings& a, const TrainSettings& b) {
    return std::ranges::all_of(kStepParts, [&](const StepPartRow* row) { return !row->keep || row->wanted(a) == row->wanted(b); });
}

}  // namespace splat
