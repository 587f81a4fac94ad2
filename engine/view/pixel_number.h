#pragma once

#include <optional>

#include <splatwright/gpu/commands.h>
#include <splatwright/render/forward.h>

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
    ~PixelNumberReader();
    PixelNumberReader(const PixelNumberReader&) = delete;

    struct Question {
        const FrameBuffers& frame;
        gpu::BufferSlice groundTruth;  ///< any words if the mode does not compare
        uint32_t show = 0;             ///< RenderMode::show of a mode with values
        glm::uvec2 size{0};
        glm::uvec2 pixel{0};
    };
    /// Submits the question; the one before must be answered.
    void ask(const Question& question);
    bool busy() const { return asked_; }
    /// The answer, once.
    std::optional<PixelNumber> answer();
    /// Waits for the GPU, before the frame's buffers go.
    void finish();

private:
    gpu::Device& device_;
    gpu::Buffer value_, told_;
    std::optional<gpu::Commands> commands_;
    gpu::Ticket ticket_ = 0;
    glm::uvec2 pixel_{0};
    bool asked_ = false;
};

}  // namespace splat
