#include "viewer/scene/counting.h"

#include <utility>

namespace splat::app {

bool Counting::follow(WorldView& view) {
    if (!std::exchange(wanted_, false) || view.asksHistogram()) return false;
    if (picture_ == view.pictures() && asked_ == quantity) return false;
    view.askHistogram(*quantity);
    if (!view.asksHistogram()) return false;
    picture_ = view.pictures();
    asked_ = quantity;
    return true;
}

bool Counting::poll(WorldView& view) {
    auto found = view.histogram();
    if (!found) return false;
    shown_ = *found;
    return true;
}

}  // namespace splat::app
