#pragma once

#include <functional>
#include <optional>

#include <splatwright/core/image.h>
#include <splatwright/render/forward.h>

namespace splat {

/// Pictures for the host, one at a time: waits for each, and grows what overflows. Evaluation and `render` use it; training does not.
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
    /// GPU milliseconds of the stages of the last picture.
    const std::vector<std::pair<std::string, double>>& stages() const { return stages_; }

private:
    void reserve(const FrameCapacity& needed);

    gpu::Device& device_;
    Forward forward_;
    gpu::Buffer view_;
    std::optional<FrameBuffers> frame_;
    std::vector<std::pair<std::string, double>> stages_;
};

}  // namespace splat
