#pragma once

#include <string_view>
#include <vector>

#include "gpu/commands.h"
#include "render/model.h"
#include "train/checkpoint.h"
#include "train/optimizer.h"

namespace splat {

/// What happens to an attribute of a gaussian that is not a mere copy of an old one.
enum class AttributeKind { parameter, moment, statistic };

/// One persistent buffer of the gaussians: `planes` blocks of `words` words a gaussian, one block every capacity * words words.
struct Attribute {
    std::string_view name;
    gpu::Buffer* buffer;
    uint32_t words;
    uint32_t planes;
    AttributeKind kind;

    uint64_t bytes() const { return uint64_t{words} * sizeof(uint32_t); }  ///< a gaussian and plane
};

/// All that lasts of the gaussians from step to step: parameters, Adam's moments, and what the densifier has seen of them.
class GaussianStore {
public:
    /// Keeps growth statistics for densifiers that want them.
    GaussianStore(gpu::Device& device, uint32_t capacity, bool statistics);

    /// Keeps growth statistics from now on, or no more; those that are kept anew start at zero.
    void keepStatistics(bool statistics);

    /// Makes room for this many, keeping the gaussians that are there; one buffer after the other, so that only one stands there twice.
    /// Throws gpu::OutOfMemory, and then nothing has changed.
    void resize(uint32_t capacity);

    /// What a checkpoint holds of the gaussians: a section an attribute, its planes one after the other without the room between them.
    std::vector<CheckpointSection> save();
    /// Throws InputError naming the section that is missing, or not as long as it should be; then nothing has changed.
    void load(const Checkpoint& checkpoint, uint32_t gaussians);

    /// Every buffer above, for whoever treats them alike: permutation, growth, checkpoints.
    std::vector<Attribute> attributes();
    uint32_t count() const;

    /// A capacity at which every plane starts where kernels can bind it.
    static uint32_t roundedCapacity(uint64_t gaussians);

    GaussianModel model;
    AdamMoments moments;
    bool hasStatistics;
    gpu::Buffer growth;  ///< shared::GrowthStatistics; one that nobody reads where there are none

private:
    void resize(const Attribute& attribute, uint32_t from, uint32_t to);

    gpu::Device* device_;
};

}  // namespace splat
