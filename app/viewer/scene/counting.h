#pragma once

#include <optional>
#include <string>

#include <splatwright/view/world_view.h>

namespace splat::app {

/// The histogram that a panel shows. It is counted anew for every picture, while the panel is open only.
class Counting {
public:
    const SplatQuantity* quantity = &splatQuantityByName("scale");

    /// Called by what shows it, in every frame.
    void want() { wanted_ = true; }
    /// Asks for what is wanted if the picture or the quantity has changed. Returns whether it has asked.
    bool follow(WorldView& view);
    /// Takes an answer. Returns whether there is one.
    bool poll(WorldView& view);
    /// The last histogram, if it is of the chosen quantity.
    const Histogram* shown() const { return shown_ && shown_->quantity == quantity ? &*shown_ : nullptr; }

private:
    bool wanted_ = false;
    uint64_t picture_ = 0;  ///< WorldView::pictures() at the last question
    const SplatQuantity* asked_ = nullptr;
    std::optional<Histogram> shown_;
};

}  // namespace splat::app
