#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/commands.h"
#include "render/model.h"
#include "scene/extent.h"
#include "scene/placement.h"

namespace splat {

/// One model of a world. Its gaussians are [first, first + count) of the world's buffers.
struct WorldModel {
    std::string name;
    bool visible = true;
    Placement placement;
    glm::vec3 tint{1};  ///< of the picture that tells models apart
    int shDegree = 0;
    bool antialiased = false;
    bool live = false;          ///< contents come from elsewhere on the GPU: World::refresh()
    bool hasGradients = false;  ///< World::gradients() holds this model's
    uint32_t first = 0;
    uint32_t capacity = 0;
    uint32_t count = 0;  ///< of a live model: as setCount() was told last
    Extent extent;       ///< in the model's own frame
};

/// Several models in one set of buffers, so that they are drawn, sorted and blended together. What a model is called, where it stands and
/// whether it shows is on the host and goes along with each picture; to add, remove or enlarge a model replaces the buffers.
class World {
public:
    /// Names a model for as long as it is there; the id of a removed one is given to the next that comes.
    using Id = uint32_t;

    explicit World(gpu::Device& device);
    ~World();
    World(const World&) = delete;

    // These wait for the queue and change generation(). Where there is too little memory they throw gpu::OutOfMemory and change nothing.
    Id add(std::string name, const Gaussians& gaussians);
    /// A model without gaussians until refresh(), with room for so many.
    Id addLive(std::string name, uint32_t capacity);
    void remove(Id id);
    /// Makes room for at least so many gaussians in a live model.
    void reserve(Id id, uint32_t capacity);

    void rename(Id id, std::string name) { slot(id).name = std::move(name); }
    void setVisible(Id id, bool visible) { slot(id).visible = visible; }
    void setPlacement(Id id, const Placement& placement) { slot(id).placement = placement; }
    void setExtent(Id id, const Extent& extent) { slot(id).extent = extent; }
    void setTint(Id id, glm::vec3 tint) { slot(id).tint = tint; }
    void setCount(Id id, uint32_t count) { slot(id).count = count; }

    /// Takes a live model's contents over, count included, as they are after everything submitted so far; the queue waits for nothing, the host
    /// only where three refreshes are under way. Makes room first if `from` has more, and then waits for the queue.
    /// growth: shared::GrowthStatistics a gaussian, for the picture of gradients; empty or shorter than `from`: there are none.
    void refresh(Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice growth = {});
    /// The same into a recording, without making room: gaussians beyond the model's capacity are left out. What the world knows of the model
    /// (degree, 2D filter) changes now. The recording goes stale with generation().
    void recordRefresh(gpu::Commands& commands, Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice growth = {});

    bool has(Id id) const { return id < slots_.size() && slots_[id].has_value(); }
    const WorldModel& operator[](Id id) const;
    /// The models, in the order in which they lie in the buffers.
    std::vector<Id> ids() const;
    /// One more than the largest id so far: rows of tables that models index.
    uint32_t slots() const { return static_cast<uint32_t>(slots_.size()); }
    /// Whose gaussian an element of the buffers is, and which of it.
    std::optional<std::pair<Id, uint32_t>> ownerOf(uint32_t gaussian) const;
    /// The model as the GPU has it, in its own frame, without the deleted. Waits.
    Gaussians gaussiansOf(Id id) const;
    /// Of all visible models, in the world.
    Extent extent() const;

    /// Changes when buffers were replaced; recordings that name them are stale then.
    uint64_t generation() const { return generation_; }
    /// The gaussians of all models. Its count is that of the elements in use, gaps between models included.
    const GaussianModel& buffers() const { return buffers_; }
    /// A word a gaussian: its model's id << 8 | flags; see shaders/lib/marks.slang.
    const gpu::Buffer& marks() const { return marks_; }
    /// A word an id: that model's gaussians.
    const gpu::Buffer& counts() const { return counts_; }
    /// A float a gaussian: densification's mean gradient; means something where WorldModel::hasGradients.
    const gpu::Buffer& gradients() const { return gradients_; }

private:
    static constexpr size_t kRefreshesInFlight = 3;

    struct Attribute;
    struct Move {
        uint64_t from = 0, to = 0, count = 0;  ///< gaussians
    };
    struct Refresh {
        std::optional<gpu::Commands> commands;
        gpu::Ticket ticket = 0;
    };

    std::vector<Attribute> attributes();
    WorldModel& slot(Id id);
    Id freeSlot();
    Id insert(WorldModel model, uint32_t capacity);
    void layOut(std::vector<std::optional<WorldModel>> next);
    void move(const Attribute& attribute, const std::vector<Move>& moves, uint32_t from, uint32_t to);
    void tellLayout();
    void claim(Id id, uint32_t from);
    void upload(Id id, const Gaussians& gaussians);

    gpu::Device& device_;
    GaussianModel buffers_;
    gpu::Buffer marks_, gradients_, counts_;
    std::vector<std::optional<WorldModel>> slots_;
    Refresh refreshes_[kRefreshesInFlight];
    size_t refreshed_ = 0;
    uint64_t generation_ = 1;
};

}  // namespace splat
