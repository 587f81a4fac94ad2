#include "view/world.h"

#include <algorithm>

#include "core/log.h"
#include "gpu/check.h"
#include "shared/structs.h"

namespace splat {

namespace {

/// Gaussians; every model starts where kernels can bind its part of any buffer.
constexpr uint64_t kAlignment = 64;
constexpr uint64_t kMostGaussians = uint64_t{1} << 30u;
constexpr uint32_t kMostModels = 1u << (32 - shared::kMarkFlagBits);

/// Colours that a person tells apart (Okabe and Ito 2008), for models as they come.
constexpr glm::vec3 kTints[] = {{0.90f, 0.62f, 0.00f}, {0.34f, 0.71f, 0.91f}, {0.00f, 0.62f, 0.45f}, {0.94f, 0.89f, 0.26f},
                                {0.00f, 0.45f, 0.70f}, {0.84f, 0.37f, 0.00f}, {0.80f, 0.47f, 0.65f}};

uint64_t aligned(uint64_t gaussians) { return (std::max<uint64_t>(gaussians, 1) + kAlignment - 1) / kAlignment * kAlignment; }

uint64_t endOf(const std::vector<std::optional<WorldModel>>& slots) {
    uint64_t end = 0;
    for (const auto& model : slots)
        if (model) end = std::max<uint64_t>(end, uint64_t{model->first} + model->capacity);
    return end;
}

/// Models one behind the other.
void pack(std::vector<std::optional<WorldModel>>& slots) {
    uint64_t end = 0;
    for (auto& model : slots) {
        if (!model) continue;
        model->first = static_cast<uint32_t>(end);
        end += model->capacity;
    }
    if (end > kMostGaussians) throw Error("the models hold {} gaussians together, expected at most {}", end, kMostGaussians);
}

}  // namespace

/// One buffer of the world: `planes` blocks of `words` words a gaussian, one block every capacity * words words.
struct World::Attribute {
    gpu::Buffer* buffer;
    uint32_t words;
    uint32_t planes;

    uint64_t bytes() const { return uint64_t{words} * sizeof(uint32_t); }  ///< a gaussian and plane
};

World::World(gpu::Device& device)
    : device_(device),
      buffers_(device, 1),
      marks_(device.buffer<uint32_t>("gaussian marks", 1)),
      gradients_(device.buffer<float>("gaussian gradients", 1)),
      counts_(device.buffer<uint32_t>("gaussians of models", 1)) {
    tellLayout();
}

/// Refreshes under way write into the buffers. A device that is lost does not.
World::~World() {
    try {
        for (const Refresh& refresh : refreshes_) device_.wait(refresh.ticket);
    } catch (const Error& e) {
        spdlog::debug("while leaving a world: {}", e.what());
    }
}

std::vector<World::Attribute> World::attributes() {
    // The largest first: where memory is short, it is that which does not fit, and little has been moved for nothing.
    return {{&buffers_.shRest, 3, kShRest}, {&buffers_.rotations, 4, 1}, {&buffers_.means, 3, 1}, {&buffers_.logScales, 3, 1},
            {&buffers_.sh0, 3, 1},          {&gradients_, 1, 1},         {&marks_, 1, 1},         {&buffers_.logitOpacities, 1, 1}};
}

WorldModel& World::slot(Id id) {
    CHECK(has(id), "there is no model {}", id);
    return *slots_[id];
}

const WorldModel& World::operator[](Id id) const {
    CHECK(has(id), "there is no model {}", id);
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
        if ((*this)[id].visible) placed.push_back(transformed((*this)[id].extent, (*this)[id].placement));
    return extentAround(placed);
}

World::Id World::freeSlot() {
    Id id = 0;
    while (has(id)) ++id;
    if (id >= kMostModels) throw Error("the world has {} models already, which is the most", id);
    return id;
}

World::Id World::insert(WorldModel model, uint32_t capacity) {
    const uint32_t count = model.count;
    const Id id = freeSlot();
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

World::Id World::add(std::string name, const Gaussians& gaussians) {
    if (gaussians.count() > kMostGaussians) throw Error("{}: {} gaussians, expected at most {}", name, gaussians.count(), kMostGaussians);
    const auto count = static_cast<uint32_t>(gaussians.count());
    const Id id = insert({.name = std::move(name),
                          .shDegree = gaussians.shDegree,
                          .antialiased = gaussians.antialiased,
                          .count = count,
                          .extent = extentOf(gaussians)},
                         count);
    upload(id, gaussians);
    return id;
}

World::Id World::addLive(std::string name, uint32_t capacity) { return insert({.name = std::move(name), .live = true}, capacity); }

void World::remove(Id id) {
    CHECK(has(id), "there is no model {}", id);
    auto next = slots_;
    next[id].reset();
    pack(next);
    layOut(std::move(next));
}

void World::reserve(Id id, uint32_t capacity) {
    CHECK(slot(id).live, "model {} is not live", id);
    const uint32_t before = slot(id).capacity;
    if (capacity <= before) return;
    auto next = slots_;
    next[id]->capacity = static_cast<uint32_t>(aligned(capacity));
    pack(next);
    layOut(std::move(next));
    claim(id, before);
}

/// Moves what lasts to where the next layout has it.
void World::layOut(std::vector<std::optional<WorldModel>> next) {
    std::vector<Move> moves, back;
    for (size_t i = 0; i < std::min(slots_.size(), next.size()); ++i) {
        if (!slots_[i] || !next[i]) continue;
        const uint64_t kept = std::min(slots_[i]->capacity, next[i]->capacity);
        moves.push_back({slots_[i]->first, next[i]->first, kept});
        back.push_back({next[i]->first, slots_[i]->first, kept});
    }
    const uint32_t before = buffers_.capacity;
    const auto after = static_cast<uint32_t>(std::max<uint64_t>(endOf(next), 1));
    const std::vector<Attribute> all = attributes();
    size_t done = 0;
    try {
        for (; done < all.size(); ++done) move(all[done], moves, before, after);
    } catch (const gpu::OutOfMemory&) {
        while (done-- > 0) move(all[done], back, after, before);
        ++generation_;
        throw;
    }
    buffers_.capacity = after;
    slots_ = std::move(next);
    ++generation_;
    tellLayout();
}

void World::move(const Attribute& a, const std::vector<Move>& moves, uint32_t from, uint32_t to) {
    const uint64_t each = a.bytes();
    const gpu::BufferSlice old = *a.buffer;
    gpu::Buffer next(device_, a.buffer->name(), each * to * a.planes, old.stride, gpu::Residence::device);
    device_.run("lay out " + a.buffer->name(), [&](gpu::Commands& c) {
        for (uint64_t plane = 0; plane < a.planes; ++plane)
            for (const Move& m : moves)
                c.copy(a.buffer->slice((plane * from + m.from) * each, m.count * each),
                       next.slice((plane * to + m.to) * each, m.count * each));
    });
    *a.buffer = std::move(next);
}

/// Tells the GPU how far the models reach, and makes room for a count each.
void World::tellLayout() {
    device_.upload(buffers_.count, std::vector{static_cast<uint32_t>(endOf(slots_))});
    if (slots_.size() * sizeof(uint32_t) <= counts_.bytes()) return;
    gpu::Buffer larger = device_.buffer<uint32_t>(counts_.name(), 2 * slots_.size());
    device_.run("lay out counts", [&](gpu::Commands& c) { c.copy(counts_, larger.slice(0, counts_.bytes())); });
    counts_ = std::move(larger);
}

/// Gives a model's elements from one of its own on to it, with nothing selected, hidden or deleted.
void World::claim(Id id, uint32_t from) {
    const WorldModel& m = slot(id);
    constexpr uint64_t kWord = sizeof(uint32_t);
    device_.run("mark gaussians", [&](gpu::Commands& c) {
        c.fill(marks_.slice((m.first + from) * kWord, (m.capacity - from) * kWord), id << shared::kMarkFlagBits);
    });
}

}  // namespace splat
