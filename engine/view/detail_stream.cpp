#include <splatwright/view/detail_stream.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/selected.h>

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
    : device_(device), world_(world), scene_(path), bits_(scene_.nodes().size()), loader_(scene_) {
    if (budget == 0) budget = defaultBudget(device);
    const uint32_t pages = poolPages(budget);
    pool_.emplace(pages);
    tables_ = std::make_shared<DetailTables>(device, scene_, pages, budget);
    const SplatRange& first = scene_.nodes()[0].levels[coarsestOf(0)];
    const Gaussians sample = scene_.readFile(first.file);
    id_ = world_.addStreamed(name, tables_, sample.shDegree, sample.antialiased, scene_.extent());
    try {
        loadCoarsest();
        if (scene_.hasSurroundings()) world_.add(name + " surroundings", scene_.surroundings());
    } catch (...) {
        world_.remove(id_);
        throw;
    }
}

DetailStream::~DetailStream() {
    try {
        for (const Upload& upload : uploads_) device_.wait(upload.ticket);
    } catch (const Error& e) {
        spdlog::debug("while closing a streamed model: {}", e.what());
    }
}

/// The last level of a node that has splats.
uint32_t DetailStream::coarsestOf(uint32_t node) const {
    const std::vector<SplatRange>& levels = scene_.nodes()[node].levels;
    const auto last = std::ranges::find_if(levels.rbegin(), levels.rend(), [](const SplatRange& range) { return range.count > 0; });
    return last == levels.rend() ? shared::kNoDetailLevel : static_cast<uint32_t>(levels.rend() - last - 1);
}

/// The coarsest levels, and twice the budget, so that what was seen last stays. Throws InputError if a frame cannot index the coarsest levels.
uint32_t DetailStream::poolPages(uint32_t budget) const {
    uint64_t coarsest = 0, all = 0;
    for (uint32_t node = 0; node < scene_.nodes().size(); ++node) {
        for (uint32_t level = 0; level < scene_.levels(); ++level) {
            const uint32_t pages = pagesOf(scene_.nodes()[node].levels[level].count);
            all += pages;
            if (level == coarsestOf(node)) coarsest += pages;
        }
    }
    if (all == 0) throw InputError("{}: found a scene without splats", scene_.path().string());
    const uint64_t most = kMostPool / kDetailPage;
    if (coarsest + pagesOf(budget) > most)
        throw InputError("{}: the coarsest levels have {} splats, expected at most {} with a budget of {}", scene_.path().string(),
                         coarsest * kDetailPage, kMostPool - std::min<uint64_t>(budget, kMostPool), budget);
    return static_cast<uint32_t>(std::min({all, coarsest + uint64_t{2} * pagesOf(budget), most}));
}

void DetailStream::loadCoarsest() {
    std::map<uint32_t, std::vector<uint32_t>> nodesOfFile;
    for (uint32_t node = 0; node < scene_.nodes().size(); ++node)
        if (const uint32_t level = coarsestOf(node); level != shared::kNoDetailLevel)
            nodesOfFile[scene_.nodes()[node].levels[level].file].push_back(node);
    for (const auto& [file, nodes] : nodesOfFile) {
        const Gaussians splats = scene_.readFile(file);
        std::vector<LoadedLevel> levels;
        size_t count = 0;
        const auto flush = [&] {
            bring(std::exchange(levels, {}));
            for (const Upload& upload : uploads_) device_.wait(upload.ticket);
            count = 0;
        };
        for (const uint32_t node : nodes) {
            const SplatRange& range = scene_.nodes()[node].levels[coarsestOf(node)];
            std::vector<uint32_t> indices(range.count);
            std::iota(indices.begin(), indices.end(), range.first);
            levels.push_back({{node, coarsestOf(node)}, selected(splats, indices)});
            count += range.count;
            if (count >= kSplatsPerUpload) flush();
        }
        flush();
    }
}

/// Notes that a level of the node is drawn: this one, or what stands for it.
void DetailStream::use(uint32_t node, uint32_t level) {
    const uint32_t coarser = bits_[node] >> level;
    const uint32_t drawn =
        coarser != 0 ? level + static_cast<uint32_t>(std::countr_zero(coarser)) : static_cast<uint32_t>(std::bit_width(bits_[node])) - 1;
    resident_.at(keyOf({node, drawn})).lastUse = frame_;
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
        if ((bits_[node] >> level & 1U) != 0) continue;
        const auto there = static_cast<uint32_t>(std::bit_width(bits_[node])) - 1;
        missing.push_back({unseen, there > level ? there - level : level - there, {node, level}});
    }
    std::ranges::stable_sort(missing, [](const Missing& a, const Missing& b) { return a.unseen != b.unseen ? b.unseen : a.gap > b.gap; });
    missing_ = static_cast<size_t>(std::ranges::count(missing, false, &Missing::unseen));
    // Without room for them, levels outside the picture would come and go.
    uint64_t room = pool_->free();
    std::vector<DetailLevel> levels;
    for (const Missing& m : missing) {
        const uint32_t pages = pagesOf(scene_.nodes()[m.of.node].levels[m.of.level].count);
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
        auto oldest = resident_.end();
        for (auto it = resident_.begin(); forPicture && it != resident_.end(); ++it) {
            const auto node = static_cast<uint32_t>(it->first >> shared::kDetailLevelBits);
            const auto level = static_cast<uint32_t>(it->first & shared::kNoDetailLevel);
            if (level == coarsestOf(node) || it->second.lastUse + kUseFrames > frame_) continue;
            if (oldest == resident_.end() || it->second.lastUse < oldest->second.lastUse) oldest = it;
        }
        if (oldest == resident_.end()) return false;
        const auto node = static_cast<uint32_t>(oldest->first >> shared::kDetailLevelBits);
        pool_->giveBack(oldest->second.runs);
        residentSplats_ -= oldest->second.splats;
        bits_[node] &= ~(1U << (oldest->first & shared::kNoDetailLevel));
        dropped.push_back({node, std::move(oldest->second.runs)});
        resident_.erase(oldest);
    }
    return true;
}

/// Places levels in the pool and submits their upload.
void DetailStream::bring(std::vector<LoadedLevel> levels) {
    std::vector<Dropped> dropped;
    std::erase_if(levels, [&](LoadedLevel& level) {
        const bool coarsest = level.of.level == coarsestOf(level.of.node);
        const uint32_t wanted = coarsest ? 0 : tables_->wanted()[level.of.node];
        const uint32_t pages = pagesOf(level.splats.count());
        const bool forPicture = (wanted & shared::kDetailUnseen) == 0;
        if (resident_.contains(keyOf(level.of))) return true;
        if (!makeRoom(pages, forPicture, dropped)) {
            const bool wantedStill = forPicture && (wanted & shared::kNoDetailLevel) == level.of.level;
            if (wantedStill && heldSince_ + 2 * kUseFrames >= frame_) held_.push_back(std::move(level));
            return true;
        }
        resident_[keyOf(level.of)] = {*pool_->take(pages), static_cast<uint32_t>(level.splats.count()), frame_};
        residentSplats_ += level.splats.count();
        bits_[level.of.node] |= 1U << level.of.level;
        return false;
    });
    Upload& upload = uploads_[uploaded_++ % uploads_.size()];
    device_.wait(upload.ticket);  // done, but for loadCoarsest()
    upload.commands.reset();
    upload.commands.emplace(device_, "upload levels of detail");
    record(*upload.commands, upload.staging, levels, dropped);
    upload.commands->end();
    upload.ticket = device_.submit(*upload.commands);
}

namespace {

/// Words that the host writes one after the other and the device copies to where they belong.
class StagedCopies {
public:
    struct Copy {
        size_t word, words;
        gpu::BufferSlice to;
    };
    template <class T>
    void add(gpu::BufferSlice to, const T* values, size_t count) {
        const size_t words = count * sizeof(T) / kWord, at = words_.size();
        words_.resize(at + words);
        std::memcpy(&words_[at], values, words * kWord);
        copies_.push_back({at, words, to});
    }
    void record(gpu::Device& device, gpu::Commands& c, gpu::Buffer& staging) const {
        if (words_.empty()) return;
        if (words_.size() * kWord > staging.bytes()) {
            staging = {};
            staging = device.buffer<uint32_t>("levels of detail to upload", words_.size(), gpu::Residence::staging);
        }
        std::ranges::copy(words_, staging.mapped<uint32_t>());
        for (const Copy& copy : copies_) c.copy(staging.slice(copy.word * kWord, copy.words * kWord), copy.to);
    }

private:
    std::vector<uint32_t> words_;
    std::vector<Copy> copies_;
};

}  // namespace

void DetailStream::record(gpu::Commands& c, gpu::Buffer& staging, std::span<const LoadedLevel> levels,
                          std::span<const Dropped> dropped) const {
    StagedCopies copies;
    const auto noteBits = [&](uint32_t node) { copies.add(tables_->resident().slice(node * kWord, kWord), &bits_[node], 1); };
    const auto notePages = [&](const PageRun& run, const std::vector<shared::DetailPage>& pages) {
        constexpr VkDeviceSize kBytes = sizeof(shared::DetailPage);
        copies.add(tables_->pages().slice(run.first * kBytes, run.count * kBytes), pages.data(), pages.size());
    };
    for (const Dropped& level : dropped) {
        noteBits(level.node);
        for (const PageRun& run : level.runs) notePages(run, std::vector<shared::DetailPage>(run.count));
    }
    const uint32_t first = world_[id_].first;
    for (const LoadedLevel& level : levels) {
        noteBits(level.of.node);
        const auto owner = static_cast<uint32_t>(keyOf(level.of)) + 1;
        uint64_t from = 0;
        for (const PageRun& run : resident_.at(keyOf(level.of)).runs) {
            const uint64_t count = std::min<uint64_t>(uint64_t{run.count} * kDetailPage, level.splats.count() - from);
            std::vector<shared::DetailPage> pages(run.count, {owner, kDetailPage});
            if (count % kDetailPage != 0) pages.back().count = static_cast<uint32_t>(count % kDetailPage);
            notePages(run, pages);
            for (size_t a = 0; a < std::size(kAttributes); ++a) {
                const AttributeRow& row = kAttributes[a];
                for (uint32_t plane = 0; plane < planesAt(row, level.splats.shDegree); ++plane) {
                    const std::vector<float> values = gather(level.splats, row, plane);
                    copies.add(world_.buffers().attributes.all()[a].slice(plane, first + uint64_t{run.first} * kDetailPage, count),
                               &values[from * row.words], count * row.words);
                }
            }
            from += count;
        }
    }
    copies.record(device_, c, staging);
}

}  // namespace splat
