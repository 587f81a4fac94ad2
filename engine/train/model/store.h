#pragma once

#include <optional>
#include <string>
#include <vector>

#include <splatwright/gpu/commands.h>
#include <splatwright/render/model.h>
#include <splatwright/train/checkpoint/checkpoint_section.h>
#include <splatwright/train/model/optimizer.h>

namespace splat {

struct Checkpoint;

/// How a refinement treats the buffers: new Gaussians copy parameters and start with zero moments; statistics start again for all.
enum class BufferKind { parameter, moment, statistic };

/// A checkpoint section and the buffers that it is read from.
struct StoredBuffer {
    std::string name;
    PlanarBuffer* values;
    BufferKind kind;
};

/// All that lasts of the gaussians from step to step: parameters, Adam's moments, and what the densifier has seen of them.
class GaussianStore {
public:
    /// Keeps densification statistics for densifiers that want them.
    GaussianStore(gpu::Device& device, uint32_t capacity, bool statistics);

    /// Keeps densification statistics from now on, or no more; those that are kept anew start at zero.
    void keepStatistics(bool statistics);

    /// Keeps sums of blending weights from now on, or no more; those that are kept anew start at zero.
    void keepBlendStatistics(bool kept);

    /// Counts the steps since a view saw each Gaussian from now on, or no more; the counts start at zero.
    void countUnseen(bool counted);

    /// Keeps averages of the parameters from now on, or no more; they are not written yet.
    void keepAverages(bool kept);

    /// Draws with 3D filters from now on, or no more; new ones are 0 until they are measured.
    void filter3d(bool filter);

    /// Sets the capacity and keeps the Gaussians. Throws gpu::OutOfMemory, and then nothing has changed.
    void resize(uint32_t capacity);

    /// The sections of a checkpoint: one per attribute, its planes one after the other, without the unused capacity between them. All are
    /// copied in one submission if they have at most 64 MiB.
    std::vector<CheckpointSection> save();
    /// Throws InputError for a number of Gaussians that cannot be trained, and naming the section that is missing, or not as long as it should be;
    /// then nothing has changed.
    void load(const Checkpoint& checkpoint, uint32_t gaussians);

    /// Everything that permutation, growth and checkpoints treat alike.
    std::vector<StoredBuffer> buffers();
    uint32_t count() const;

    /// A capacity at which every plane starts where kernels can bind it.
    static uint32_t roundedCapacity(uint64_t gaussians);

    GaussianModel model;
    AdamMoments moments;
    bool hasStatistics;
    PlanarBuffer densifyStatistics;  ///< shared::DensifyStatistics; of one Gaussian, and never read, where there are none
    bool hasBlendStatistics = false;
    PlanarBuffer blendStatistics;  ///< shared::BlendSums, likewise
    bool countsUnseen = false;
    PlanarBuffer unseenSteps;  ///< uint: steps since a view saw the Gaussian, likewise
    std::optional<AttributeBuffers> averages;

private:
    /// Keeps rows per Gaussian from now on, or a single one; `empty` makes them.
    void keep(bool kept, bool& keeps, PlanarBuffer& rows, PlanarBuffer (*empty)(gpu::Device& device, uint32_t capacity));

    gpu::Device* device_;
};

}  // namespace splat
