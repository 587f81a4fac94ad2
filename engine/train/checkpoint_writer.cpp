#include "train/checkpoint_writer.h"

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

}  // namespace splat
