#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <splatwright/core/image.h>
#include "commands/context.h"
#include "commands/render/render_scene.h"

namespace splat::app {

/// Draws the views of a scene in one render mode.
class Drawing {
public:
    Drawing() = default;
    virtual ~Drawing() = default;
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    /// Draws a view and waits for it.
    virtual void draw(size_t view) = 0;
    /// What was drawn, as the viewer shows it.
    virtual Image8 picture() = 0;
    /// What was drawn as numbers (PictureReader::values), lengths in units of the splats' own.
    virtual ImageF values() = 0;
    /// Smallest and largest number of what was drawn, if the mode shows numbers by a colour map.
    virtual std::optional<std::pair<float, float>> range() { return std::nullopt; }
    /// The colour map's ends from now on, instead of each view's own.
    virtual void setRange(std::pair<float, float>) {}
};

/// The scene and the context must outlive it.
std::unique_ptr<Drawing> makeDrawing(Context& context, const RenderScene& scene, const RenderMode& mode);

}  // namespace splat::app
