#pragma once

#include <optional>
#include <vector>

#include "render/forward.h"
#include "scene/camera.h"
#include "view/pictures.h"
#include "view/world.h"

namespace splat {

/// A gaussian under a pixel.
struct ProbeHit {
    World::Id model = 0;
    uint32_t index = 0;     ///< in the model
    uint32_t gaussian = 0;  ///< in the world's buffers
    float depth = 0;        ///< along the view, world units; of its surface where the picture shows surfaces
    float alpha = 0;
    float contribution = 0;  ///< alpha times the transmittance in front of it; 0 of surfaces
};

/// What lies under a pixel of a picture.
struct Probe {
    glm::uvec2 pixel{0};
    uint32_t listed = 0;         ///< gaussians that the pixel blends, or whose surfaces lie there
    std::vector<ProbeHit> hits;  ///< the first of those, at most shared::kProbeEntries, in the order of their means' depths
    std::optional<ProbeHit>
        picked;               ///< with the largest contribution, or the nearest surface; of one that is not among the hits only the names
    float transmittance = 1;  ///< of the whole pixel
    float expectedDepth = 0;  ///< mean by contribution
    float medianDepth = 0;    ///< of the gaussian that stops the second half of the light, or of the nearest surface
    std::optional<glm::dvec3> point;  ///< in the world, at the median depth, where there is anything
};

/// Asks the GPU what lies under a pixel of the picture that was submitted last; the answer comes late and nobody waits for it.
class PixelProbe {
public:
    explicit PixelProbe(gpu::Device& device);
    ~PixelProbe();
    PixelProbe(const PixelProbe&) = delete;

    struct Question {
        const FrameBuffers& frame;
        gpu::BufferSlice picture;  ///< shared::PictureParameters
        uint32_t shape;            ///< of the picture's row
        const Camera& camera;
        glm::uvec2 pixel;  ///< in the picture
    };
    /// One question at a time: not while busy().
    void ask(const World& world, const Question& question);
    bool busy() const { return asked_; }
    /// The answer, once it is there; none where the world's buffers were replaced since.
    std::optional<Probe> answer(const World& world);
    /// Waits until the GPU is done with the question.
    void finish();

private:
    Probe read(const World& world) const;

    gpu::Device& device_;
    gpu::Buffer result_, entries_;  ///< of the GPU
    gpu::Buffer toldResult_, toldEntries_;
    std::optional<gpu::Commands> commands_;
    gpu::Ticket ticket_ = 0;
    bool asked_ = false;
    uint64_t generation_ = 0;
    Camera camera_;
    glm::uvec2 pixel_{0};
};

}  // namespace splat
