#pragma once

#include <optional>
#include <vector>

#include <splatwright/render/forward.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/view/late_answer.h>
#include <splatwright/view/render_modes.h>
#include <splatwright/view/world.h>

namespace splat {

/// A Gaussian under a pixel.
struct ProbeHit {
    World::Id model = 0;
    uint32_t index = 0;     ///< in the model
    uint32_t gaussian = 0;  ///< in the world's buffers
    float depth = 0;        ///< along the view, world units; of the surface in modes that draw surfaces
    float alpha = 0;
    float contribution = 0;  ///< blending weight: alpha times the transmittance in front; 0 for surfaces
};

/// What lies under a pixel of a picture.
struct Probe {
    glm::uvec2 pixel{0};
    uint32_t listed = 0;              ///< Gaussians that the pixel blends, or whose surfaces cover it
    std::vector<ProbeHit> hits;       ///< the first of those, at most shared::kProbeEntries, by depth of their means
    std::optional<ProbeHit> picked;   ///< largest contribution, or nearest surface; only ids are set if it is not among the hits
    float transmittance = 1;          ///< of the whole pixel
    float expectedDepth = 0;          ///< mean, weighted by contribution
    float medianDepth = 0;            ///< depth at which transmittance falls below one half, or of the nearest surface
    std::optional<glm::dvec3> point;  ///< world position at the median depth, if the pixel is covered
};

/// Asks the GPU what lies under a pixel of the frame submitted last; the answer is read back later, without waiting.
class PixelProbe {
public:
    explicit PixelProbe(gpu::Device& device);

    struct Question {
        const FrameBuffers& frame;
        gpu::BufferSlice picture;  ///< shared::PictureParameters
        uint32_t shape;            ///< RenderMode::shape
        const Camera& camera;
        double orthographic;  ///< WorldView::orthographic
        glm::uvec2 pixel;     ///< in the picture
    };
    /// One question at a time: call only if not busy().
    void ask(const World& world, const Question& question);
    bool busy() const { return late_.busy(); }
    /// The answer, once it is ready; nothing if the world's buffers were replaced since.
    std::optional<Probe> answer(const World& world);
    /// Waits until the GPU is done with the question.
    void finish() { late_.finish(); }

private:
    Probe read(const World& world) const;

    gpu::Buffer result_, entries_;  ///< in the GPU's memory
    gpu::Buffer toldResult_, toldEntries_;
    LateAnswer late_;
    uint64_t generation_ = 0;
    Camera camera_;
    double orthographic_ = 0;
    glm::uvec2 pixel_{0};
};

}  // namespace splat
