#pragma once

#include <splatwright/render/kinds/model_kind.h>
#include <splatwright/render/planar_buffer.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/shared/fit2d.h>

namespace splat {

/// One PlanarBuffer per attribute, in the order of kAttributes.
class AttributeBuffers {
public:
    /// `words` is the table's column of a plane's words: of the attributes or of their moments. `name` starts the names of the buffers.
    AttributeBuffers(gpu::Device& device, std::string_view name, uint32_t AttributeRow::*words, uint32_t capacity);

    const PlanarBuffer& operator[](Attribute attribute) const { return all_[static_cast<size_t>(attribute)]; }
    PlanarBuffer& operator[](Attribute attribute) { return all_[static_cast<size_t>(attribute)]; }
    std::span<const PlanarBuffer> all() const { return all_; }
    std::span<PlanarBuffer> all() { return all_; }

    /// Binds the buffers to all members of a kernel that are called as in the table, with the suffix.
    template <class Kernel>
    void bind(Kernel& kernel, std::string_view suffix = "") const {
        kernel.forEachBuffer([&](std::string_view name, std::span<gpu::BufferSlice> member) { bind(name, member, suffix); });
    }

private:
    void bind(std::string_view name, std::span<gpu::BufferSlice> member, std::string_view suffix) const;

    std::vector<PlanarBuffer> all_;
};

/// Gaussians on the GPU in the stored parametrisation. There is always capacity for SH of degree 3.
struct GaussianModel {
    GaussianModel(gpu::Device& device, uint32_t capacity, const ModelKind& kind = {});

    /// Replaces the model; gaussians.count() <= capacity.
    void upload(gpu::Device& device, const Gaussians& gaussians);
    /// Puts Gaussians from an index of the buffers on; coefficients that they lack stay as they are.
    void upload(gpu::Device& device, const Gaussians& gaussians, uint64_t first);
    /// The model with this many SH degrees, as it is drawn: its 3D filters are baked into scales and opacities.
    Gaussians download(gpu::Device& device, int shDegree) const;
    /// `count` Gaussians from an index on.
    Gaussians download(gpu::Device& device, int shDegree, uint64_t first, uint64_t count) const;

    /// Draws with 3D filters from now on, all of them 0, or without.
    void filter3d(gpu::Device& device, bool filter);

    const PlanarBuffer& operator[](Attribute attribute) const { return attributes[attribute]; }

    ModelKind kind;  ///< what the numbers in the buffers mean
    uint32_t capacity;
    bool antialiased = false;  ///< Mip-Splatting's 2D filter: splats that are widened to a pixel grow fainter
    bool filtered = false;     ///< Mip-Splatting's 3D filter: each Gaussian is drawn smoothed by a variance of its own
    AttributeBuffers attributes;
    PlanarBuffer filterVariances;  ///< float per Gaussian, model units squared; of one Gaussian, and never read, unless filtered
    gpu::Buffer count;             ///< one word
};

/// Gaussians of a model from an index on.
struct ModelPlace {
    const GaussianModel& model;
    uint64_t first = 0;
};

/// Copies the attributes of `count` Gaussians, with coefficients up to the degree.
void recordCopy(gpu::Commands& commands, const ModelPlace& from, const ModelPlace& to, uint64_t count, int shDegree);

/// Sets the kernel's members for the model's buffers, capacity and filters, if it has them.
template <class Kernel>
Kernel withModel(Kernel kernel, const GaussianModel& model) {
    model.attributes.bind(kernel);
    if constexpr (requires { kernel.capacity; }) kernel.capacity = model.capacity;
    if constexpr (requires { kernel.kAntialiased; }) kernel.kAntialiased = model.antialiased ? 1u : 0u;
    if constexpr (requires { kernel.kFilter3d; }) kernel.kFilter3d = model.filtered ? 1u : 0u;
    if constexpr (requires { kernel.filterVariances; }) kernel.filterVariances = model.filterVariances;
    return kernel;
}

}  // namespace splat
