#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/gpu/commands.h>
#include <splatwright/render/model.h>
#include <splatwright/scene/gaussians/extent.h>
#include <splatwright/scene/gaussians/model_transform.h>
#include <splatwright/view/detail_tables.h>

namespace splat {

/// One model of a world. Its Gaussians are [first, first + count) in the world's buffers.
struct WorldModel {
    std::string name;
    bool visible = true;
    bool locked = false;  ///< takes no part in edits
    ModelTransform transform;
    glm::vec3 tint{1};  ///< colour in the render mode `models`
    int shDegree = 0;
    bool antialiased = false;
    bool picture = false;  ///< ModelKindRow::picture
    bool summed = false;   ///< ModelKind::summed
    bool live = false;     ///< updated on the GPU by World::refresh()
    /// Whether it is neither edited nor moved.
    bool isFixed() const { return live || locked; }
    bool hasGradients = false;  ///< World::gradients() is valid for this model
    uint32_t first = 0;
    uint32_t capacity = 0;
    uint32_t count = 0;                     ///< for a live model, the last value of setCount()
    Extent extent;                          ///< in the model's own frame
    std::vector<ExtraColumn> extras;        ///< Gaussians::extras, which stay on the host
    std::shared_ptr<DetailTables> details;  ///< of a streamed model, which is live and whose splats are where its pages say
};

/// Several models in one set of buffers, so that they are drawn, sorted and blended together. Names, transforms and visibility are on the host and
/// uploaded with each frame; adding, removing or enlarging a model replaces the buffers.
class World {
public:
    /// Identifies a model while it exists; ids of removed models are reused.
    using Id = uint32_t;

    explicit World(gpu::Device& device);
    ~World();
    World(const World&) = delete;

    // These wait for the queue and change generation(). They throw gpu::OutOfMemory, with nothing changed, if there is too little memory.
    /// Adds a model of any kind as Gaussians in 3D (ModelKindRow::recordCopy).
    Id add(std::string name, const Gaussians& numbers, const ModelKind& kind = {});
    /// Adds a model of this capacity, empty until refresh().
    Id addLive(std::string name, uint32_t capacity);
    /// Adds a model whose splats a DetailStream brings, as many as the pages hold.
    Id addStreamed(std::string name, std::shared_ptr<DetailTables> details, int shDegree, bool antialiased, const Extent& extent);
    void remove(Id id);
    /// Enlarges a live model to at least this capacity.
    void reserve(Id id, uint32_t capacity);

    void rename(Id id, std::string name) { slot(id).name = std::move(name); }
    void setVisible(Id id, bool visible) { slot(id).visible = visible; }
    void setLocked(Id id, bool locked) { slot(id).locked = locked; }
    void setTransform(Id id, const ModelTransform& transform) { slot(id).transform = transform; }
    void setExtent(Id id, const Extent& extent) { slot(id).extent = extent; }
    void setTint(Id id, glm::vec3 tint) { slot(id).tint = tint; }
    void setCount(Id id, uint32_t count) { slot(id).count = count; }

    /// Copies a live model's contents and count on the GPU, after everything submitted so far; the host waits only if three refreshes are in flight,
    /// or if the model must grow. densifyStatistics: shared::DensifyStatistics per Gaussian, for the render mode `gradient`; empty or shorter than `from`:
    /// none.
    void refresh(Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice densifyStatistics = {});
    /// Records the same copy without enlarging the model: Gaussians beyond its capacity are dropped. Degree and 2D filter of the model change at once.
    /// The recording is invalid after generation() changes.
    void recordRefresh(gpu::Commands& commands, Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice densifyStatistics = {});

    bool has(Id id) const { return id < slots_.size() && slots_[id].has_value(); }
    const WorldModel& operator[](Id id) const;
    /// Ids of all models, in ascending order.
    std::vector<Id> ids() const;
    /// One more than the largest id so far: the number of rows of tables by model id.
    uint32_t slots() const { return static_cast<uint32_t>(slots_.size()); }
    /// Model and index in the model of an element of the buffers.
    std::optional<std::pair<Id, uint32_t>> ownerOf(uint32_t gaussian) const;
    /// Downloads the model in its own frame, without deleted Gaussians; of a streamed one, what the last frame drew. Waits.
    /// flags: only Gaussians that are all of this, such as shared::kMarkSelected.
    Gaussians gaussiansOf(Id id, uint32_t flags = 0) const;
    /// Downloads the model as it was added, deleted Gaussians among them. Waits.
    Gaussians storedOf(Id id) const;
    /// Downloads the flags of marks() of each of its Gaussians. Waits.
    std::vector<uint8_t> flagsOf(Id id) const;
    /// Models of a picture; none: the visible ones.
    using Chosen = std::optional<std::vector<Id>>;
    bool shows(Id id, const Chosen& chosen = {}) const;
    /// Whether all shown models are fitted pictures, which are drawn undilated; and whether all of these are summed.
    bool showsPictures(const Chosen& chosen = {}) const { return allShown(chosen, &WorldModel::picture); }
    bool showsSums(const Chosen& chosen = {}) const { return allShown(chosen, &WorldModel::summed); }
    /// Extent of all visible models in world space.
    Extent extent() const;

    /// Changes when buffers are replaced, which invalidates recordings that use them.
    uint64_t generation() const { return generation_; }
    /// The Gaussians of all models. The count includes gaps between models.
    const GaussianModel& buffers() const { return buffers_; }
    /// A word per Gaussian: its model's id << 8 | flags; see shaders/lib/view/marks.slang.
    const gpu::Buffer& marks() const { return marks_.only(); }
    /// Number of Gaussians, one word per model id.
    const gpu::Buffer& counts() const { return counts_; }
    /// Densification's mean gradient, one float per Gaussian; valid if WorldModel::hasGradients.
    const gpu::Buffer& gradients() const { return gradients_.only(); }

private:
    static constexpr size_t kRefreshesInFlight = 3;

    struct Refresh {
        std::optional<gpu::Commands> commands;
        gpu::Ticket ticket = 0;
    };

    bool allShown(const Chosen& chosen, bool WorldModel::*member) const;
    std::vector<PlanarBuffer*> perGaussian();
    WorldModel& slot(Id id);
    Id insert(WorldModel model, uint32_t capacity);
    void layOut(std::vector<std::optional<WorldModel>> next);
    void uploadLayout();
    uint64_t countOf(Id id) const;
    Gaussians storedOf(Id id, uint64_t count) const;
    std::vector<uint8_t> flagsOf(Id id, uint64_t count) const;
    void claim(Id id, uint32_t from);
    void upload(Id id, const Gaussians& gaussians);
    void recordCopy(gpu::Commands& commands, const WorldModel& model, const GaussianModel& from, int shDegree, uint32_t count) const;

    gpu::Device& device_;
    GaussianModel buffers_;
    PlanarBuffer marks_, gradients_;
    gpu::Buffer counts_;
    std::vector<std::optional<WorldModel>> slots_;
    Refresh refreshes_[kRefreshesInFlight];
    size_t refreshed_ = 0;
    uint64_t generation_ = 1;
};

}  // namespace splat
