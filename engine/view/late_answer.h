#pragma once

#include <optional>
#include <string>
#include <utility>

#include <splatwright/gpu/commands.h>

namespace splat {

/// Work whose result is read back some frames later, without waiting; one question at a time. To be declared after the buffers that the work uses,
/// because it waits for the GPU before they go.
class LateAnswer {
public:
    LateAnswer(gpu::Device& device, std::string name) : device_(device), name_(std::move(name)) {}
    ~LateAnswer();
    LateAnswer(const LateAnswer&) = delete;

    /// Commands to record the question into, for submit(). The answer before must be taken.
    gpu::Commands& ask();
    void submit();
    bool busy() const { return asked_; }
    /// Whether the answer has come since the question; true once.
    bool take();
    /// GPU time of the work whose answer was taken.
    double milliseconds() const;
    /// Waits for the GPU.
    void finish();

private:
    gpu::Device& device_;
    std::string name_;
    std::optional<gpu::Commands> commands_;
    gpu::Ticket ticket_ = 0;
    bool asked_ = false;
};

}  // namespace splat
