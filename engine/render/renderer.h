#pragma once

#include <functional>
#include <optional>
#include <span>

#include <splatwright/core/image.h>
#include <splatwright/render/forward.h>

namespace splat {

/// Pictures for the host: waits for them, and grows what overflows. Evaluation and `render` use it; training does not.
class Renderer {
public:
    Renderer(gpu::Device& device, const primitives::RadixSort& sort);

    /// 3 channels, linear 0 and up, background included.
    ImageF render(const GaussianModel& model, const Camera& camera, glm::vec3 background, int shDegree);
    struct Look {
        glm::vec3 background{0};
        int shDegree = 0;
    };
    /// Records more work on a frame after it was drawn: also on a halted one, whose lists are empty and which is then drawn again.
    using After = std::function<void(gpu::Commands&, const FrameBuffers&)>;
    /// A picture that stays on the device.
    void draw(const GaussianModel& model, const Camera& camera, const Look& look, const After& after = {});
    using AfterEach = std::function<void(gpu::Commands&, const FrameBuffers&, size_t camera)>;
    /// Pictures of all cameras, in turn in the same frame, so that `after` has to keep what is wanted of each. Waits once per
    /// kPicturesAtOnce, and draws those again from the first one on that overflowed.
    void drawAll(const GaussianModel& model, std::span<const Camera> cameras, const Look& look, const AfterEach& after);
    static constexpr size_t kPicturesAtOnce = 32;  ///< a longer submission would keep a window's frames waiting
    /// GPU milliseconds of the stages of the last picture.
    const std::vector<std::pair<std::string, double>>& stages() const { return stages_; }

private:
    struct Pictures {
        const GaussianModel& model;
        std::span<const Camera> cameras;
        const Look& look;
        const AfterEach& after;
    };

    void reserve(const FrameCapacity& needed);
    std::vector<shared::FrameState> drawOnce(const Pictures& pictures, size_t first);
    void keepStages(const gpu::Commands& commands);

    gpu::Device& device_;
    Forward forward_;
    gpu::Buffer view_;
    std::optional<FrameBuffers> frame_;
    std::vector<std::pair<std::string, double>> stages_;
};

}  // namespace splat
