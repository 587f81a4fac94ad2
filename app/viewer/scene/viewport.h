#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <splatwright/gpu/painting.h>
#include <splatwright/view/world_view.h>
#include "viewer/scene/compare_view.h"
#include "viewer/scene/orientation_cube.h"
#include "viewer/scene/view_image.h"
#include "viewer/scene/workspace.h"

namespace splat::app {

/// How the modifiers that are held change the selection.
Combine heldCombine();

/// The part of the screen that shows the world: draws it when it changes, and turns pointer input into navigation and queries.
class Viewport {
public:
    explicit Viewport(Workspace& work);

    /// Sets the region that panels leave, in pixels of the screen; a dataset camera keeps its aspect ratio in it. Call the other members between
    /// Ui::begin() and end().
    void place(glm::ivec2 low, glm::ivec2 high);
    /// Handles the pointer and held keys. Returns whether they move the view.
    bool handle(const std::set<std::string>& held, double seconds);
    /// Draws a new picture if the last one is outdated, and paints it.
    void draw();

    /// Reads back results without waiting. Returns whether there is something new to show.
    bool poll();
    /// Whether the last picture is outdated.
    bool stale() const;
    /// Whether a frame or a query is in flight.
    bool waiting() const { return waiting_ || compare_.waiting(); }
    /// Whether scores of the compared pictures are computed or due.
    bool scoring() const { return compare_.scoring(); }
    const CompareView& compare() const { return compare_; }

    /// Corners of the region that panels leave: picture, ground truth beside it, and overlays.
    std::pair<glm::ivec2, glm::ivec2> region() const { return {regionLow_, regionHigh_}; }
    glm::ivec2 low() const { return low_; }
    glm::uvec2 size() const { return glm::uvec2(high_ - low_); }
    WorldView& view() { return view_; }
    const WorldView& view() const { return view_; }
    /// Camera of the last picture; of an orthographic picture, the perspective one far away that sees the same.
    const Camera& camera() const { return camera_; }
    const FrameReport& lastReport() const { return report_; }
    /// Why the chosen render mode is not shown; empty if it is.
    std::string missing() const;
    /// Range of values in the last picture; none for modes without values.
    std::optional<std::pair<double, double>> range() const;
    /// The value under the pointer in a mode with values, where the legend shows.
    const std::optional<PixelNumber>& pointed() const { return pointed_; }
    /// The last picture without overlays, 3 channels; waits for it.
    Image8 picture();
    /// GPU milliseconds of the last picture.
    double milliseconds() const;
    uint64_t overflows() const { return overflows_; }
    /// Result of the last pixel query.
    const std::optional<Probe>& probe() const { return probe_; }
    /// Selects a range of the quantity that the histogram shows.
    void selectValues(float low, float high, Combine combine);
    /// Selects by the polygon that is drawn, or by the tool's shape in the scene.
    void applyShape(Combine combine);
    /// Queries a pixel of the screen, and looks at the point under it once it is known.
    void ask(glm::ivec2 pixel, bool focus);

private:
    /// Everything that a picture depends on.
    struct Scene {
        Camera camera;
        double orthographic = 0;  ///< WorldView::orthographic
        RenderSettings settings;
        uint64_t generation = 0, revision = 0, backdrop = 0;
        std::optional<size_t> groundTruth;
        uint32_t outline = 0;
        Compared second;
        World::Chosen models;  ///< of the first picture, if they are not those that are visible
        std::vector<std::pair<World::Id, ModelTransform>> visible;
        std::vector<glm::vec3> tints;

        bool operator==(const Scene&) const = default;
    };

    /// What a drag controls.
    enum class Hand { free, view, shape, corner, pick, gizmo, cube, divider };

    Scene scene() const;
    uint32_t outline() const;
    bool drag();
    Hand grab(const glm::vec2& at);
    void release();
    bool navigate(const glm::dvec2& delta, bool left);
    void driveGizmo();
    void endShape();
    bool showsGizmo() const;
    bool fly(const std::set<std::string>& held, double seconds);
    void click(glm::ivec2 pixel);
    void pick(glm::ivec2 pixel);
    void driveVolume();
    bool hasHandles() const { return hasVolume(work_.selecting.tool) || showsGizmo(); }
    const CubeFace* cubeFace() const;
    void measure(const Probe& answer);
    void followPointer();
    void drawValues() const;
    int picturesBeside() const;
    bool pollPictures();
    bool isOnDivider(float x) const;

    Workspace& work_;
    WorldView view_;
    ViewImage viewImage_;
    CompareView compare_;
    glm::ivec2 regionLow_{0}, regionHigh_{1};  ///< region that panels leave
    PictureCells cells_;                       ///< of it, for pictures beside each other
    glm::ivec2 low_{0}, high_{1};              ///< of the picture in the first of them
    std::optional<Scene> drawn_;
    Camera camera_;
    gpu::Texture texture_;
    FrameReport report_;
    uint64_t overflows_ = 0;
    std::optional<Probe> probe_;
    std::optional<PixelNumber> pointed_;
    std::optional<glm::uvec2> pointedAt_;  ///< pixel that was asked for since the last picture
    bool focusOnProbe_ = false, asked_ = false, waiting_ = false;
    bool measures_ = false;         ///< the last query is for the tool that measures
    std::optional<Combine> picks_;  ///< how the splat under the last query changes the selection
    Hand hand_ = Hand::free;
    std::optional<World::Id> driven_;  ///< the model whose handles show
    float dragged_ = 0;                ///< pixels since a button went down
};

}  // namespace splat::app
