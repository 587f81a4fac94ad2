#include <splatwright/train/model/trained_kind.h>

#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(TrainedKindRow, kTrainedKinds, kTrainedGaussians, kTrainedFreeBlobs, kTrainedDemoBlobs);

std::span<const TrainedKindRow* const> trainedKindTable() { return kTrainedKinds; }

const TrainedKindRow& trainedKindByName(std::string_view name) { return rowByName(kTrainedKinds, "model kind", name); }

std::span<const std::string_view> pictureKinds() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> pictures;
        for (const TrainedKindRow* row : kTrainedKinds)
            if (row->subject == SettingUse::pictures) pictures.push_back(row->name);
        return pictures;
    }();
    return names;
}

std::string_view nameOf(SettingUse subject) { return subject == SettingUse::pictures ? "a single picture" : "views of a scene"; }

}  // namespace splat
