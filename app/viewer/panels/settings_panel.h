#pragma once

#include <functional>
#include <vector>

#include <splatwright/core/settings.h>

namespace splat::app {

/// Widgets for the fields of any settings struct, by their description: choices become lists, flags boxes, numbers with both limits sliders,
/// others fields to drag or to type in; groups fold. True when a value was changed.
/// locked: fields that are shown and cannot be changed now; empty: none.
bool drawSettings(const std::vector<SettingField>& fields, const std::function<bool(const SettingField&)>& locked = {});

}  // namespace splat::app
