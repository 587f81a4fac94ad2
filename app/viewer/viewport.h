#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpu/painting.h"
#include "view/world_view.h"
#include "viewer/comparison.h"
#include "viewer/workspace.h"

namespace splat::app {

/// The part of the screen that shows the world: draws it when it has changed, and turns what a pointer does there into navigation and questions.
class Viewport {
public:
    explicit Viewport(Workspace& work);

    /// The region that the panels leave, pixels of the screen; a photograph's view keeps its sides in it. The rest is called between Ui::begin()
    /// and end().
    void place(glm::ivec2 low, glm::ivec2 high);
    /// The pointer, and the keys that are held; true while they move the view.
    bool handle(const std::set<std::string>& held, double seconds);
    /// Draws a new picture where the last one is not right any more, and paints it.
    void draw();

    /// Reads what the GPU has told, without waiting; true when there is something new to show.
    bool poll();
    /// Whether the last picture does not show what there is to see.
    bool stale() const;
    /// Whether a picture or an answer is on its way.
    bool waiting() const { return waiting_; }

    /// What the panels leave: the picture, the photograph beside it, and what is drawn over them. Its corners.
    std::pair<glm::ivec2, glm::ivec2> region() const { return {regionLow_, regionHigh_}; }
    glm::ivec2 low() const { return low_; }
    glm::uvec2 size() const { return glm::uvec2(high_ - low_); }
    WorldView& view() { return view_; }
    const WorldView& view() const { return view_; }
    const PictureReport& lastReport() const { return report_; }
    /// Why the chosen picture is not the one that is shown; empty where it is.
    std::string missing() const;
    /// Of the numbers that the last picture shows; none where those are colours.
    std::optional<std::pair<double, double>> range() const;
    /// The last picture without what lies over it, 3 channels; waits for it.
    Image8 picture();
    /// What the last picture cost the GPU.
    double milliseconds() const;
    uint64_t overflows() const { return overflows_; }
    /// What lies under the pixel that was asked for last.
    const std::optional<Probe>& probe() const { return probe_; }
    /// Asks what lies under a pixel of the screen, and looks there once it is known.
    void ask(glm::ivec2 pixel, bool focus);

private:
    /// What a picture is made of.
    struct Scene {
        Camera camera;
        PictureSettings settings;
        uint64_t generation = 0, revision = 0;
        std::optional<size_t> photograph;
        uint32_t outline = 0;
        std::vector<std::pair<World::Id, Placement>> visible;
        std::vector<glm::vec3> tints;

        bool operator==(const Scene&) const = default;
    };

    Scene scene() const;
    uint32_t outline() const;
    void paintPhotograph() const;
    void paintExplanations() const;
    bool drag();
    bool navigate(const glm::dvec2& delta, bool left);
    bool startHandle(const glm::dvec2& at);
    void moveHandle(const glm::dvec2& at);
    void endHandle();
    bool showsGizmo() const;
    bool fly(const std::set<std::string>& held, double seconds);
    void click(glm::ivec2 pixel);

    Workspace& work_;
    WorldView view_;
    Comparison comparison_;
    glm::ivec2 regionLow_{0}, regionHigh_{1};  ///< what the panels leave
    glm::ivec2 low_{0}, high_{1};              ///< of the picture in it
    std::optional<Scene> drawn_;
    gpu::Texture texture_;
    PictureReport report_;
    uint64_t overflows_ = 0;
    std::optional<Probe> probe_;
    bool focusOnProbe_ = false, asked_ = false, waiting_ = false;
    enum class Hand { free, view, shape, gizmo };
    Hand hand_ = Hand::free;  ///< what the pressed button moves
    float dragged_ = 0;       ///< pixels since a button went down
};

}  // namespace splat::app
