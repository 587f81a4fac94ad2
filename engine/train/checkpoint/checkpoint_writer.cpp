#include <splatwright/train/checkpoint/checkpoint_writer.h>

#include <chrono>
#include <utility>

#include <splatwright/train/checkpoint/checkpoint.h>

namespace splat {

void CheckpointWriter::write(Checkpoint checkpoint, uint32_t step, const std::filesystem::path& path) {
    finish();
    nextStep_ = step;
    nextPath_ = path;
    writing_ = std::async(std::launch::async, [path, checkpoint = std::move(checkpoint)] { writeCheckpoint(path, checkpoint); });
}

void CheckpointWriter::finish() {
    if (!writing_.valid()) return;
    std::exchange(writing_, {}).get();
    written_ = nextStep_;
    path_ = nextPath_;
}

bool CheckpointWriter::ready() const { return writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

}  // namespace splat
