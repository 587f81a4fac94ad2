#pragma once

#include <optional>

#include <splatwright/render/frame.h>
#include <splatwright/view/late_answer.h>

namespace splat {

/// What a render mode with values shows at a pixel.
struct PixelNumber {
    glm::uvec2 pixel{0};
    std::optional<float> value;  ///< none where there are no splats to take a mean of
};

/// Reads back the value of one pixel of the last picture without waiting, one question at a time.
class PixelNumberReader {
public:
    explicit PixelNumberReader(gpu::Device& device);

    struct Question {
        const FrameBuffers& frame;
        gpu::BufferSlice groundTruth;  ///< any words if the mode does not compare
        uint32_t show = 0;             ///< RenderMode::show of a mode with values
        glm::uvec2 size{0};
        glm::uvec2 pixel{0};
    };
    /// Submits the question; the one before must be answered.
    void ask(const Question& question);
    bool busy() const { return late_.busy(); }
    /// The answer, once.
    std::optional<PixelNumber> answer();
    /// Waits for the GPU, before the frame's buffers go.
    void finish() { late_.finish(); }

private:
    gpu::Buffer value_, told_;
    LateAnswer late_;
    glm::uvec2 pixel_{0};
};

}  // namespace splat
