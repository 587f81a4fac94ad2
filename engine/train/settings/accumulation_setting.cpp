#include <splatwright/train/settings/accumulation_setting.h>

#include <algorithm>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/table.h>
#include <splatwright/render/backward.h>

namespace splat {

std::span<const std::string_view> accumulateChoices() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all = rowNames(accumulationTable());
        all.push_back(kAutomatic);
        return all;
    }();
    return names;
}

const AccumulationRow& accumulationOf(const TrainSettings& settings) {
    return accumulationByName(settings.accumulate == kAutomatic ? RunSettings().accumulate : settings.accumulate);
}

void accumulateDeterministically(TrainSettings& settings) {
    if (accumulationOf(settings).deterministic) return;
    const auto row = std::ranges::find_if(accumulationTable(), &AccumulationRow::deterministic);
    if (row == accumulationTable().end()) throw Error("no accumulation row is deterministic");
    settings.accumulate = (*row)->name;
}

}  // namespace splat
