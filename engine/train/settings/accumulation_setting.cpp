#include <splatwright/train/settings/accumulation_setting.h>

#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/table.h>
#include <splatwright/render/backward.h>

namespace splat {

namespace {

/// Default accumulation method of deterministic runs.
std::string deterministicRow() {
    for (const AccumulationRow* row : accumulationTable()) {
        if (row->deterministic) return std::string(row->name);
    }
    throw Error("no accumulation row is deterministic");
}

}  // namespace

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
    if (!accumulationOf(settings).deterministic) settings.accumulate = deterministicRow();
}

}  // namespace splat
