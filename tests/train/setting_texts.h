#pragma once

#include <string>
#include <vector>

#include <splatwright/train/settings/settings.h>

namespace splat {

/// "name=value" of every setting.
std::vector<std::string> textsOf(TrainSettings settings);

}  // namespace splat
