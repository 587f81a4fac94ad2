#include <splatwright/view/world.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/shared/training.h>
#include <splatwright/shared/viewer.h>
#include "kernels/bake_filters.h"
#include "kernels/mean_gradients.h"

namespace splat {

namespace {

/// In Gaussians: models start at multiples of this, so that kernels can bind their part of any buffer.
constexpr uint64_t kAlignment = 64;
constexpr uint64_t kMostGaussians = uint64_t{1} << 30u;
constexpr uint32_t kMostModels = 1u << (32 - shared::kMarkFlagBits);

/// Distinguishable colours (Okabe and Ito 2008), assigned to models in turn.
constexpr glm::vec3 kTints[] = {{0.90f, 0.62f, 0.00f}, {0.34f, 0.71f, 0.91f}, {0.00f, 0.62f, 0.45f}, {0.94f, 0.89f, 0.26f},
                                {0.00f, 0.45f, 0.70f}, {0.84f, 0.37f, 0.00f}, {0.80f, 0.47f, 0.65f}};

uint64_t aligned(uint64_t gaussians) { return (std::max<uint64_t>(gaussians, 1) + kAlignment - 1) / kAlignment * kAlignment; }

uint64_t endOf(const std::vector<std::optional<WorldModel>>& slots) {
    uint64_t end = 0;
    for (const auto& model : slots)
        if (model) end = std::max<uint64_t>(end, uint64_t{model->first} + model->capacity);
    return end;
}

/// Places models one after another.
void pack(std::vector<std::optional<WorldModel>>& slots) {
    uint64_t end = 0;
    for (auto& model : slots) {
        if (!model) continue;
        model->first = static_cast<uint32_t>(end);
        end += model->capacity;
    }
    if (end > kMostGaussians) throw Error("the models have {} Gaussians in total, expected at most {}", end, kMostGaussians);
}

}  // namespace

World::World(gpu::Device& device)
    : device_(device),
      buffers_(device, 1),
      marks_(device, "gaussian marks", 1, 1, 1),
      gradients_(device, "gaussian gradients", 1, 1, 1),
      counts_(device.buffer<uint32_t>("gaussians of models", 1)) {
    uploadLayout();
}

/// Waits for refreshes in flight, which write into the buffers; a lost device throws instead.
World::~World() {
    try {
        for (const Refresh& refresh : refreshes_) device_.wait(refresh.ticket);
    } catch (const Error& e) {
        spdlog::debug("while destroying a world: {}", e.what());
    }
}

std::vector<PlanarBuffer*> World::perGaussian() {
    std::vector<PlanarBuffer*> all{&marks_, &gradients_};
    for (PlanarBuffer& planes : buffers_.attributes.all()) all.push_back(&planes);
    return all;
}

WorldModel& World::slot(Id id) {
    SPLAT_CHECK(has(id), "there is no model {}", id);
    return *slots_[id];
}

const WorldModel& World::operator[](Id id) const {
    SPLAT_CHECK(has(id), "there is no model {}", id);
    return *slots_[id];
}

std::vector<World::Id> World::ids() const {
    std::vector<Id> ids;
    for (Id id = 0; id < slots(); ++id)
        if (has(id)) ids.push_back(id);
    return ids;
}

std::optional<std::pair<World::Id, uint32_t>> World::ownerOf(uint32_t gaussian) const {
    for (const Id id : ids()) {
        const WorldModel& m = (*this)[id];
        if (gaussian >= m.first && gaussian - m.first < m.capacity) return std::pair{id, gaussian - m.first};
    }
    return std::nullopt;
}

Extent World::extent() const {
    std::vector<Extent> placed;
    for (const Id id : ids())
        if ((*this)[id].visible) placed.push_back(transformed((*this)[id].extent, (*this)[id].transform));
    return extentAround(placed);
}

World::Id World::insert(WorldModel model, uint32_t capacity) {
    const uint32_t count = model.count;
    Id id = 0;
    while (has(id)) ++id;
    if (id >= kMostModels) throw Error("the world already has {} models, the maximum", id);
    model.capacity = static_cast<uint32_t>(aligned(capacity));
    model.tint = kTints[id % std::size(kTints)];
    auto next = slots_;
    next.resize(std::max<size_t>(next.size(), id + 1));
    next[id] = std::move(model);
    pack(next);
    layOut(std::move(next));
    claim(id, 0);
    constexpr uint64_t kWord = sizeof(uint32_t);
    device_.upload(counts_.slice(id * kWord, kWord), std::vector{count});
    return id;
}

World::Id World::add(std::string name, const Gaussians& numbers, const ModelKind& kind) {
    if (numbers.count() > kMostGaussians) throw Error("{}: {} Gaussians, expected at most {}", name, numbers.count(), kMostGaussians);
    const auto count = static_cast<uint32_t>(numbers.count());
    const std::optional<GaussianModel> staged = kind.row->staged(device_, numbers, kind);
    const Id id = insert({.name = std::move(name),
                          .shDegree = numbers.shDegree,
                          .antialiased = numbers.antialiased,
                          .picture = kind.row->picture,
                          .summed = kind.summed,
                          .count = count,
                          .extent = kind.row->extent(numbers, kind),
                          .extras = numbers.extras},
                         count);
    if (!staged)
        upload(id, numbers);
    else
        device_.run("copy " + slot(id).name, [&](gpu::Commands& c) { recordCopy(c, slot(id), *staged, numbers.shDegree, count); });
    return id;
}

World::Id World::addLive(std::string name, uint32_t capacity) { return insert({.name = std::move(name), .live = true}, capacity); }

World::Id World::addStreamed(std::string name, std::shared_ptr<DetailTables> details, int shDegree, bool antialiased,
                             const Extent& extent) {
    const uint32_t count = details->pageCount() * shared::kDetailPage;
    return insert({.name = std::move(name),
                   .shDegree = shDegree,
                   .antialiased = antialiased,
                   .live = true,
                   .count = count,
                   .extent = extent,
                   .extras = {},
                   .details = std::move(details)},
                  count);
}

void World::remove(Id id) {
    SPLAT_CHECK(has(id), "there is no model {}", id);
    auto next = slots_;
    next[id].reset();
    pack(next);
    layOut(std::move(next));
}

void World::reserve(Id id, uint32_t capacity) {
    SPLAT_CHECK(slot(id).live, "model {} is not live", id);
    const uint32_t before = slot(id).capacity;
    if (capacity <= before) return;
    auto next = slots_;
    next[id]->capacity = static_cast<uint32_t>(aligned(capacity));
    pack(next);
    layOut(std::move(next));
    claim(id, before);
}

/// Moves the remaining models to their positions in the next layout.
void World::layOut(std::vector<std::optional<WorldModel>> next) {
    std::vector<GaussianMove> moves;
    for (size_t i = 0; i < std::min(slots_.size(), next.size()); ++i) {
        if (!slots_[i] || !next[i]) continue;
        moves.push_back({slots_[i]->first, next[i]->first, std::min(slots_[i]->capacity, next[i]->capacity)});
    }
    const auto after = static_cast<uint32_t>(std::max<uint64_t>(endOf(next), 1));
    ++generation_;
    resize(device_, perGaussian(), moves, after);
    buffers_.capacity = after;
    slots_ = std::move(next);
    uploadLayout();
}

/// Uploads the end of the last model and enlarges the list of counts if needed.
void World::uploadLayout() {
    device_.upload(buffers_.count, std::vector{static_cast<uint32_t>(endOf(slots_))});
    if (slots_.size() * sizeof(uint32_t) <= counts_.bytes()) return;
    gpu::Buffer larger = device_.buffer<uint32_t>(counts_.name(), 2 * slots_.size());
    device_.run("lay out counts", [&](gpu::Commands& c) { c.copy(counts_, larger.slice(0, counts_.bytes())); });
    counts_ = std::move(larger);
}

/// Marks a model's elements, from index `from` of the model, as its own: neither selected, hidden nor deleted.
void World::claim(Id id, uint32_t from) {
    const WorldModel& m = slot(id);
    device_.run("mark gaussians",
                [&](gpu::Commands& c) { c.fill(marks_.slice(0, m.first + from, m.capacity - from), id << shared::kMarkFlagBits); });
}

void World::upload(Id id, const Gaussians& g) { buffers_.upload(device_, g, slot(id).first); }

void World::refresh(Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice densifyStatistics) {
    reserve(id, from.capacity);
    Refresh& refresh = refreshes_[refreshed_++ % kRefreshesInFlight];
    if (refresh.ticket > 0) device_.wait(refresh.ticket);
    refresh.commands.reset();
    refresh.commands.emplace(device_, "refresh " + slot(id).name);
    recordRefresh(*refresh.commands, id, from, shDegree, densifyStatistics);
    refresh.commands->end();
    refresh.ticket = device_.submit(*refresh.commands);
}

void World::recordRefresh(gpu::Commands& c, Id id, const GaussianModel& from, int shDegree, gpu::BufferSlice densifyStatistics) {
    WorldModel& m = slot(id);
    SPLAT_CHECK(m.live, "model {} is not live", id);
    const uint64_t taken = std::min(from.capacity, m.capacity);
    const auto count = static_cast<uint32_t>(taken);
    c.stage("refresh");
    recordCopy(c, m, from, shDegree, count);
    c.copy(from.count, counts_.slice(id * sizeof(uint32_t), sizeof(uint32_t)));
    if (from.filtered) {  // the source's 3D filters are applied to its copy
        kernels::bake_filters kernel = withModel(kernels::bake_filters{.first = m.first, .count = count}, buffers_);
        kernel.filterVariances = from.filterVariances;
        kernel.kFilter3d = 1;
        c.dispatch(kernel, count);
    }
    m.hasGradients = densifyStatistics && densifyStatistics.bytes >= taken * sizeof(shared::DensifyStatistics);
    if (m.hasGradients)
        c.dispatch(
            kernels::mean_gradients{.densifyStatistics = densifyStatistics, .gradients = gradients_, .first = m.first, .count = count},
            count);
    m.shDegree = shDegree;
    m.antialiased = from.antialiased;
    m.picture = from.kind.row->picture;
    m.summed = from.kind.summed;
}

void World::recordCopy(gpu::Commands& c, const WorldModel& m, const GaussianModel& from, int shDegree, uint32_t count) const {
    from.kind.row->recordCopy(c, {.from = from, .to = buffers_, .first = m.first, .count = count, .shDegree = shDegree});
}

bool World::shows(Id id, const Chosen& chosen) const {
    return chosen ? std::ranges::find(*chosen, id) != chosen->end() : (*this)[id].visible;
}

bool World::allShown(const Chosen& chosen, bool WorldModel::*member) const {
    bool any = false;
    for (const Id id : ids()) {
        if (!shows(id, chosen)) continue;
        if (!((*this)[id].*member)) return false;
        any = true;
    }
    return any;
}

Gaussians World::storedOf(Id id) const { return storedOf(id, countOf(id)); }

std::vector<uint8_t> World::flagsOf(Id id) const { return flagsOf(id, countOf(id)); }

Gaussians World::gaussiansOf(Id id, uint32_t flags) const {
    const uint64_t count = countOf(id);  // once, because that of a live model may change in between
    return filtered(storedOf(id, count), [&, marks = flagsOf(id, count)](const Gaussians&, size_t i) {
        return (marks[i] & (shared::kMarkDeleted | shared::kMarkAway)) == 0 && (marks[i] & flags) == flags;
    });
}

Gaussians World::storedOf(Id id, uint64_t count) const {
    const WorldModel& m = (*this)[id];
    Gaussians g = buffers_.download(device_, m.shDegree, m.first, count);
    g.antialiased = m.antialiased;
    g.extras = m.extras;
    return g;
}

std::vector<uint8_t> World::flagsOf(Id id, uint64_t count) const {
    std::vector<uint8_t> flags;
    flags.reserve(count);
    for (const uint32_t mark : device_.download<uint32_t>(marks_.slice(0, (*this)[id].first, count), count))
        flags.push_back(static_cast<uint8_t>(mark));  // the model's id is above
    return flags;
}

/// On the GPU: a live model's may be newer than the host's.
uint64_t World::countOf(Id id) const {
    constexpr uint64_t kWord = sizeof(uint32_t);
    return std::min(device_.download<uint32_t>(counts_.slice(id * kWord, kWord), 1)[0], (*this)[id].capacity);
}

}  // namespace splat
