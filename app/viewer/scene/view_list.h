#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <splatwright/train/session/live_state.h>
#include <splatwright/train/session/live_views.h>

namespace splat::app {

/// Which views of the dataset the panel lists, and in which order.
struct ViewList {
    std::string filter;       ///< of their names; upper and lower case are the same
    bool worstFirst = false;  ///< by PSNR; views without a score last
};

/// A row of the list.
struct ListedView {
    size_t view = 0;             ///< index among the views
    std::optional<double> psnr;  ///< dB, when it was last evaluated
};

std::vector<ListedView> listed(const ViewList& list, std::span<const LiveView> views, const LiveState& state);

}  // namespace splat::app
