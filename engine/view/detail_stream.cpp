#include <splatwright/view/detail_stream.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

namespace {

using shared::kDetailPage;

constexpr size_t kSplatsPerUpload = size_t{1} << 16U;
constexpr uint64_t kUseFrames = 8;        // a level that a frame drew this recently is not dropped
constexpr uint64_t kBytesPerSplat = 400;  // of a pool, with a frame's buffers
constexpr uint64_t kMemoryShare = 4;      // of the device's memory
constexpr uint32_t kMostBudget = 4'000'000, kLeastBudget = 100'000;
constexpr uint64_t kMostPool = (uint64_t{1} << shared::kGaussianBits) - kDetailPage;  // indices of a frame
constexpr VkDeviceSize kWord = sizeof(uint32_t);

uint32_t pagesOf(uint64_t splats) { return static_cast<uint32_t>((splats + kDetailPage - 1) / kDetailPage); }

}  // namespace

uint32_t DetailStream::defaultBudget(const gpu::Device& device) {
    const uint64_t splats = device.memoryTotal() / kMemoryShare / kBytesPerSplat / 2;
    return static_cast<uint32_t>(std::clamp<uint64_t>(splats, kLeastBudget, kMostBudget));
}

DetailStream::DetailStream(gpu::Device& device, World& world, const std::string& name, const std::filesystem::path& path, uint32_t budget)
    : device_(device),
      world_(world),
      scene_(path),
      coarsest_(coarsestLevels(scene_)),
      residents_(scene_.nodes().size() * scene_.levels()),
      bits_(scene_.nodes().size()),
      loader_(scene_) {
    if (budget == 0) budget = defaultBudget(device);
    const uint32_t pages = poolPages(budget);
    pool_.emplace(pages);
    tables_ = std::make_shared<DetailTables>(device, scene_, pages, budget);
    open(name);
}

DetailStream::~DetailStream() {
    try {
        for (const Upload& upload : uploads_) device_.wait(upload.ticket);
    } catch (const Error& e) {
        spdlog::debug("while closing a streamed model: {}", e.what());
    }
}

std::vector<uint32_t> DetailStream::coarsestLevels(const StreamedSog& scene) {
    std::vector<uint32_t> coarsest(scene.nodes().size(), shared::kNoDetailLevel);
    for (size_t node = 0; node < coarsest.size(); ++node)
        for (uint32_t level = 0; level < scene.levels(); ++level)
            if (scene.nodes()[node].levels[level].count > 0) coarsest[node] = level;
    return coarsest;
}

/// The coarsest levels, and twice the budget, so that what was seen last stays. Throws InputError if a frame cannot index the coarsest levels.
uint32_t DetailStream::poolPages(uint32_t budget) const {
    uint64_t coarsest = 0, all = 0;
    for (uint32_t node = 0; node < coarsest_.size(); ++node) {
        for (const SplatRange& range : scene_.nodes()[node].levels) all += pagesOf(range.count);
        if (coarsest_[node] != shared::kNoDetailLevel) coarsest += pagesOf(splatsOf({node, coarsest_[node]}));
    }
    if (all == 0) throw InputError("{}: found a scene without splats", scene_.path().string());
    const uint64_t most = kMostPool / kDetailPage;
    if (coarsest + pagesOf(budget) > most)
        throw InputError("{}: the coarsest levels have {} splats, expected at most {} with a budget of {}", scene_.path().string(),
                         coarsest * kDetailPage, kMostPool - std::min<uint64_t>(budget, kMostPool), budget);
    return static_cast<uint32_t>(std::min({all, coarsest + uint64_t{2} * pagesOf(budget), most}));
}

/// Adds the model with its coarsest levels to the world. Each file is decoded once.
void DetailStream::open(const std::string& name) {
    std::map<uint32_t, std::vector<DetailLevel>> levelsOfFile;
    for (uint32_t node = 0; node < coarsest_.size(); ++node)
        if (const uint32_t level = coarsest_[node]; level != shared::kNoDetailLevel)
            levelsOfFile[scene_.nodes()[node].levels[level].file].push_back({node, level});
    const uint32_t first = levelsOfFile.begin()->first;
    Gaussians splats = scene_.readFile(first);
    id_ = world_.addStreamed(name, tables_, splats.shDegree, splats.antialiased, scene_.extent());
    try {
        for (const auto& [file, levels] : levelsOfFile) {
            if (file != first) splats = scene_.readFile(file);
            loadCoarsest(splats, levels);
        }
        if (scene_.hasSurroundings()) world_.add(name + " surroundings", scene_.surroundings());
    } catch (...) {
        world_.remove(id_);
        throw;
    }
}

void DetailStream::loadCoarsest(const Gaussians& file, std::span<const DetailLevel> levels) {
    while (!levels.empty()) {
        size_t count = 0, splats = 0;
        while (count < levels.size() && splats < kSplatsPerUpload) splats += splatsOf(levels[count++]);
        bring(levelsIn(file, scene_, levels.first(count)));
        for (const Upload& upload : uploads_) device_.wait(upload.ticket);
        levels = levels.subspan(count);
    }
}

/// Notes that a level of the node is drawn: this one, or what stands for it.
void DetailStream::use(uint32_t node, uint32_t level) {
    const uint32_t coarser = bits_[node] >> level;
    const uint32_t drawn =
        coarser != 0 ? level + static_cast<uint32_t>(std::countr_zero(coarser)) : static_cast<uint32_t>(std::bit_width(bits_[node])) - 1;
    resident({node, drawn}).lastUse = frame_;
}

/// What the last frames wanted and is not there, the most urgent first: in the picture, and far from what is there.
std::vector<DetailLevel> DetailStream::missing() {
    struct Missing {
        bool unseen;
        uint32_t gap;
        DetailLevel of;
    };
    std::vector<Missing> missing;
    const std::span<const uint32_t> wanted = tables_->wanted();
    for (uint32_t node = 0; node < wanted.size(); ++node) {
        const uint32_t level = wanted[node] & shared::kNoDetailLevel;
        if (level == shared::kNoDetailLevel || bits_[node] == 0) continue;
        const bool unseen = (wanted[node] & shared::kDetailUnseen) != 0;
        if (!unseen) use(node, level);
        if (isResident({node, level})) continue;
        const auto there = static_cast<uint32_t>(std::bit_width(bits_[node])) - 1;
        missing.push_back({unseen, there > level ? there - level : level - there, {node, level}});
    }
    std::ranges::stable_sort(missing, [](const Missing& a, const Missing& b) { return a.unseen != b.unseen ? b.unseen : a.gap > b.gap; });
    missing_ = static_cast<size_t>(std::ranges::count(missing, false, &Missing::unseen));
    // Without room for them, levels outside the picture would come and go.
    uint64_t room = pool_->free();
    std::vector<DetailLevel> levels;
    for (const Missing& m : missing) {
        const uint32_t pages = pagesOf(splatsOf(m.of));
        if (m.unseen && pages > room) continue;
        if (m.unseen) room -= pages;
        levels.push_back(m.of);
    }
    return levels;
}

bool DetailStream::update() {
    ++frame_;
    changed_ = false;
    std::vector<DetailLevel> levels = missing();
    if (levels != asked_) loader_.ask(levels);
    asked_ = std::move(levels);
    if (uploads_[uploaded_ % uploads_.size()].ticket > 0 && !device_.done(uploads_[uploaded_ % uploads_.size()].ticket)) return true;
    if (held_.empty()) heldSince_ = frame_;
    std::vector<LoadedLevel> loaded = held_.empty() ? loader_.take(kSplatsPerUpload) : std::exchange(held_, {});
    changed_ = !loaded.empty();
    if (changed_) bring(std::move(loaded));
    return changed_ || missing_ > 0;
}

/// Drops levels that no frame used for a while, the longest unused first, until so many pages are free.
bool DetailStream::makeRoom(uint32_t pages, bool forPicture, std::vector<Dropped>& dropped) {
    while (pool_->free() < pages) {
        const std::optional<DetailLevel> oldest = forPicture ? longestUnused() : std::nullopt;
        if (!oldest) return false;
        dropped.push_back(drop(*oldest));
    }
    return true;
}

/// Of the levels that may be dropped; none if all are in use.
std::optional<DetailLevel> DetailStream::longestUnused() const {
    std::optional<DetailLevel> oldest;
    for (uint32_t node = 0; node < bits_.size(); ++node) {
        for (uint32_t bits = bits_[node] & ~(1U << coarsest_[node]); bits != 0; bits &= bits - 1) {
            const DetailLevel level{node, static_cast<uint32_t>(std::countr_zero(bits))};
            if (resident(level).lastUse + kUseFrames > frame_) continue;
            if (!oldest || resident(level).lastUse < resident(*oldest).lastUse) oldest = level;
        }
    }
    return oldest;
}

DetailStream::Dropped DetailStream::drop(const DetailLevel& level) {
    Resident gone = std::exchange(resident(level), {});
    pool_->giveBack(gone.runs);
    residentSplats_ -= gone.splats;
    bits_[level.node] &= ~(1U << level.level);
    return {level.node, std::move(gone.runs)};
}

/// Places levels in the pool and submits their upload. Without room, those that the picture wants wait for a while.
void DetailStream::bring(std::vector<LoadedLevel> levels) {
    std::vector<Dropped> dropped;
    std::erase_if(levels, [&](LoadedLevel& level) {
        if (isResident(level.of)) return true;
        if (place(level, dropped)) return false;
        const bool wanted = tables_->wanted()[level.of.node] == level.of.level;
        if (wanted && heldSince_ + 2 * kUseFrames >= frame_) held_.push_back(std::move(level));
        return true;
    });
    Upload& upload = uploads_[uploaded_++ % uploads_.size()];
    device_.wait(upload.ticket);  // done, but for loadCoarsest()
    upload.commands.reset();
    upload.commands.emplace(device_, "upload levels of detail");
    record(*upload.commands, upload.staging, levels, dropped);
    upload.commands->end();
    upload.ticket = device_.submit(*upload.commands);
}

/// Gives the level pages; false if there are too few.
bool DetailStream::place(const LoadedLevel& level, std::vector<Dropped>& dropped) {
    const auto splats = static_cast<uint32_t>(level.splats.count());
    const bool coarsest = level.of.level == coarsest_[level.of.node];
    const bool forPicture = coarsest || (tables_->wanted()[level.of.node] & shared::kDetailUnseen) == 0;
    if (!makeRoom(pagesOf(splats), forPicture, dropped)) return false;
    resident(level.of) = {*pool_->take(pagesOf(splats)), splats, frame_};
    residentSplats_ += splats;
    bits_[level.of.node] |= 1U << level.of.level;
    return true;
}

void DetailStream::record(gpu::Commands& c, gpu::Buffer& staging, std::span<const LoadedLevel> levels,
                          std::span<const Dropped> dropped) const {
    StagedCopies copies;
    for (const Dropped& level : dropped) {
        stageNode(copies, level.node);
        stagePages(copies, level.runs, 0, 0);
    }
    for (const LoadedLevel& level : levels) {
        const std::vector<PageRun>& runs = resident(level.of).runs;
        stageNode(copies, level.of.node);
        stagePages(copies, runs, (level.of.node << shared::kDetailLevelBits | level.of.level) + 1, level.splats.count());
        stageSplats(copies, runs, level.splats);
    }
    copies.record(device_, c, staging);
}

void DetailStream::stageNode(StagedCopies& copies, uint32_t node) const {
    copies.add(tables_->resident().slice(node * kWord, kWord), &bits_[node], 1);
}

/// owner: DetailPage::owner.
void DetailStream::stagePages(StagedCopies& copies, std::span<const PageRun> runs, uint32_t owner, uint64_t splats) const {
    constexpr VkDeviceSize kBytes = sizeof(shared::DetailPage);
    for (const PageRun& run : runs) {
        std::vector<shared::DetailPage> pages(run.count, {owner, 0});
        for (shared::DetailPage& page : pages) {
            page.count = static_cast<uint32_t>(std::min<uint64_t>(splats, kDetailPage));
            splats -= page.count;
        }
        copies.add(tables_->pages().slice(run.first * kBytes, run.count * kBytes), pages.data(), pages.size());
    }
}

void DetailStream::stageSplats(StagedCopies& copies, std::span<const PageRun> runs, const Gaussians& splats) const {
    const uint64_t first = world_[id_].first;
    for (size_t a = 0; a < std::size(kAttributes); ++a) {
        const AttributeRow& row = kAttributes[a];
        for (uint32_t plane = 0; plane < planesAt(row, splats.shDegree); ++plane) {
            const std::vector<float> values = gather(splats, row, plane);
            uint64_t from = 0;
            for (const PageRun& run : runs) {
                const uint64_t count = std::min<uint64_t>(uint64_t{run.count} * kDetailPage, splats.count() - from);
                copies.add(world_.buffers().attributes.all()[a].slice(plane, first + uint64_t{run.first} * kDetailPage, count),
                           &values[from * row.words], count * row.words);
                from += count;
            }
        }
    }
}

}  // namespace splat
