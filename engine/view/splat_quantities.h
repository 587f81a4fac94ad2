#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <splatwright/shared/quantities.h>
#include <splatwright/view/render_modes.h>

namespace splat {

/// What a histogram can be of: each row is an entry of the viewer's list, a word of its scripts and a test parameter.
struct SplatQuantity {
    std::string_view name;
    std::string_view label;
    std::string_view help;
    uint32_t quantity = 0;  ///< shared::kQuantityScale and so on
    RenderModeNeed need = RenderModeNeed::nothing;
    std::string_view unit = "";
    bool logarithmic = true;  ///< bins are equally wide in the logarithm
};

std::span<const SplatQuantity> splatQuantities();

/// Throws InputError listing the known names.
const SplatQuantity& splatQuantityByName(std::string_view name);

}  // namespace splat
