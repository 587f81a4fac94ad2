#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include <splatwright/explain/pixel_look.h>
#include <splatwright/explain/weighted_draw.h>
#include "viewer/scene/workspace.h"

namespace splat::app {

/// A draw of a model's splats in proportion to their opacity.
struct InsideDraw {
    std::string model;
    uint32_t first = 0;            ///< the model's first splat among those of the world
    std::optional<uint32_t> step;  ///< of its training, after which it was drawn; none: it is the draw that would be next
    explain::WeightedDraw draw;

    uint32_t numbers() const { return static_cast<uint32_t>(draw.targets.size()); }
    /// The first random number that found a splat of the tile, else the middle one.
    uint32_t numberOf(const explain::TileList& tile) const;
    /// What was drawn from, in a sentence or two.
    std::string describe() const;
};

/// The model that the pixel shows most, or the current one where it shows none.
std::optional<World::Id> modelOf(const Workspace& work, const explain::PixelLook& look);

/// Draws from a model as it is shown, as strategy `mcmc` would next; waits. Throws InputError for models that cannot be drawn from.
InsideDraw drawFor(Workspace& work, std::optional<World::Id> id);

/// The last draw of the strategy that trains, read between two steps. Nobody waits for it.
class LastDraw {
public:
    /// Asks for it if there was a refinement since, and takes what has come.
    void follow(Workspace& work);
    bool busy() const { return coming_.valid(); }
    /// Null: nothing has been drawn, or it is still to come.
    const InsideDraw* get() const { return last_.get(); }

private:
    /// Which draw it is.
    struct Drawn {
        const Training* training = nullptr;
        uint64_t data = 0;
        uint32_t step = 0;

        bool operator==(const Drawn&) const = default;
    };

    void ask(Workspace& work);

    Drawn asked_;
    std::future<std::optional<explain::WeightedDraw>> coming_;
    std::unique_ptr<InsideDraw> last_;
};

}  // namespace splat::app
