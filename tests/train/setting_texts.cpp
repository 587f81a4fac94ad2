#include "train/setting_texts.h"

#include <splatwright/core/settings.h>

namespace splat {

std::vector<std::string> textsOf(TrainSettings settings) {
    std::vector<std::string> texts;
    for (const SettingField& field : settingFields(settings)) texts.push_back(std::string(field.name) + "=" + settingText(field));
    return texts;
}

}  // namespace splat
