#include "train/checkpoint_writer.h"

#include <chrono>
#include <utility>

namespace splat {

void CheckpointWriter::write(Checkpoint checkpoint, uint32_t step) {
    finish();
    step_ = step;
    writing_ = std::async(std::launch::async, [path = path_, checkpoint = std::move(checkpoint)] { writeCheckpoint(path, checkpoint); });
}

void CheckpointWriter::finish() {
    if (!writing_.valid()) return;
    std::exchange(writing_, {}).get();
    written_ = step_;
}

void CheckpointWriter::poll() {
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) finish();
}

}  // namespace splat
