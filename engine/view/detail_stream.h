#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/view/detail_loader.h>
#include <splatwright/view/page_pool.h>
#include <splatwright/view/staged_copies.h>
#include <splatwright/view/world.h>

namespace splat {

/// A streamed SOG in a world: keeps the levels of detail that frames want in a pool of pages, and reads them from disk on a thread of its own. The
/// coarsest level of every node is always there, so that what arrives late is blurred, never missing.
class DetailStream {
public:
    /// Adds the model to the world, and loads its coarsest levels. budget: splats in a picture, at least those of the coarsest levels; 0: the default.
    /// Throws InputError, and gpu::OutOfMemory with nothing changed.
    DetailStream(gpu::Device& device, World& world, const std::string& name, const std::filesystem::path& path, uint32_t budget = 0);
    /// Waits for uploads in flight. Does not remove the model.
    ~DetailStream();
    DetailStream(const DetailStream&) = delete;

    /// Before a frame: uploads what has been read, and asks for what the frames before wanted. Never waits. Returns whether the next picture may differ.
    bool update();
    /// Whether all that frames wanted is there, or cannot be read.
    bool complete() const { return missing_ == 0 || (loader_.idle() && !changed_ && held_.empty()); }

    World::Id id() const { return id_; }
    const StreamedSog& scene() const { return scene_; }
    uint32_t budget() const { return tables_->budget(); }
    /// Splats in the pool.
    uint64_t resident() const { return residentSplats_; }
    /// Why a file could not be read, once for each; empty: none.
    std::string takeProblem() { return loader_.takeProblem(); }

    /// A share of the device's memory, and at most what one frame can index.
    static uint32_t defaultBudget(const gpu::Device& device);

private:
    /// Where a level is; without pages if it is not there.
    struct Resident {
        std::vector<PageRun> runs;
        uint32_t splats = 0;
        uint64_t lastUse = 0;
    };
    struct Dropped {
        uint32_t node = 0;
        std::vector<PageRun> runs;
    };
    struct Upload {
        gpu::Buffer staging;
        std::optional<gpu::Commands> commands;
        gpu::Ticket ticket = 0;
    };

    static std::vector<uint32_t> coarsestLevels(const StreamedSog& scene);

    Resident& resident(const DetailLevel& of) { return residents_[size_t{of.node} * scene_.levels() + of.level]; }
    const Resident& resident(const DetailLevel& of) const { return residents_[size_t{of.node} * scene_.levels() + of.level]; }
    bool isResident(const DetailLevel& of) const { return (bits_[of.node] >> of.level & 1U) != 0; }
    uint32_t splatsOf(const DetailLevel& of) const { return scene_.nodes()[of.node].levels[of.level].count; }
    uint32_t poolPages(uint32_t budget) const;
    void open(const std::string& name);
    void loadCoarsest(const Gaussians& file, std::span<const DetailLevel> levels);
    void use(uint32_t node, uint32_t level);
    std::vector<DetailLevel> missing();
    void bring(std::vector<LoadedLevel> levels);
    bool place(const LoadedLevel& level, std::vector<Dropped>& dropped);
    bool makeRoom(uint32_t pages, bool forPicture, std::vector<Dropped>& dropped);
    std::optional<DetailLevel> longestUnused() const;
    Dropped drop(const DetailLevel& level);
    void record(gpu::Commands& commands, gpu::Buffer& staging, std::span<const LoadedLevel> levels, std::span<const Dropped> dropped) const;
    void stageNode(StagedCopies& copies, uint32_t node) const;
    void stagePages(StagedCopies& copies, std::span<const PageRun> runs, uint32_t owner, uint64_t splats) const;
    void stageSplats(StagedCopies& copies, std::span<const PageRun> runs, const Gaussians& splats) const;

    gpu::Device& device_;
    World& world_;
    StreamedSog scene_;
    std::vector<uint32_t> coarsest_;   // by node: its last level that has splats, or kNoDetailLevel
    std::vector<Resident> residents_;  // by node and level
    std::vector<uint32_t> bits_;       // by node: resident levels
    uint64_t frame_ = 0, residentSplats_ = 0;
    size_t missing_ = 0;
    bool changed_ = false;
    std::vector<DetailLevel> asked_;
    std::vector<LoadedLevel> held_;  // read, but what they would replace was drawn just now
    uint64_t heldSince_ = 0;         // frame in which they came
    std::optional<PagePool> pool_;
    std::shared_ptr<DetailTables> tables_;
    World::Id id_ = 0;
    std::array<Upload, 3> uploads_;
    size_t uploaded_ = 0;
    DetailLoader loader_;
};

}  // namespace splat
