#pragma once

#include <vector>

#include <splatwright/core/rng.h>
#include <splatwright/view/edit_history.h>
#include "reference/scenes.h"
#include "support/test_device.h"

namespace splat {

using Flags = std::vector<uint32_t>;

inline constexpr uint32_t kFlagBits = (1u << shared::kMarkFlagBits) - 1;

/// A world that is edited, two models of which take part: they stand in different places and are turned and scaled; one is invisible, one live.
struct MarkedWorld {
    explicit MarkedWorld(size_t count, uint64_t seed = 1)
        : scene(reference::makeMixedScene(count, 128, 96, seed, 0)),
          other(reference::makeMixedScene(70, 128, 96, seed + 1, 0).gaussians),
          world(testDevice()),
          first(world.add("first", scene.gaussians)),
          unseen(world.add("unseen", other)),
          second(world.add("second", other)),
          live(world.addLive("live", 70)),
          history(testDevice(), world) {
        world.setTransform(first,
                           {.translation = {0.1, -0.2, 0.3}, .rotation = glm::angleAxis(0.3, glm::dvec3(0, 0.6, 0.8)), .scale = 1.2});
        world.setTransform(second, {.translation = {-0.1, 0.1, 0}, .rotation = glm::angleAxis(-0.2, glm::dvec3(1, 0, 0)), .scale = 0.8});
        world.setVisible(unseen, false);
        GaussianModel trained(testDevice(), 70);
        trained.upload(testDevice(), other);
        world.refresh(live, trained, 0);
        world.setCount(live, 70);
        testDevice().run("wait for the refresh", [](gpu::Commands&) {});
    }

    /// Whole marks of the model's gaussians.
    std::vector<uint32_t> words(World::Id id) const {
        const WorldModel& m = world[id];
        return testDevice().download<uint32_t>(world.marks().slice(m.first * sizeof(uint32_t), m.count * sizeof(uint32_t)), m.count);
    }
    /// Flags of the model's gaussians.
    Flags flags(World::Id id) const {
        Flags found = words(id);
        for (uint32_t& word : found) {
            EXPECT_EQ(word >> shared::kMarkFlagBits, id);
            word &= kFlagBits;
        }
        return found;
    }
    /// Flags of every model, one after the other.
    std::vector<Flags> allFlags() const {
        std::vector<Flags> all;
        for (const World::Id id : world.ids()) all.push_back(flags(id));
        return all;
    }
    void setFlags(World::Id id, Flags flags) {
        for (uint32_t& word : flags) word |= id << shared::kMarkFlagBits;
        testDevice().upload(world.marks().slice(world[id].first * sizeof(uint32_t), flags.size() * sizeof(uint32_t)), flags);
    }
    /// A mixture of everything that a gaussian can be.
    void scatterFlags(uint64_t seed) {
        Rng rng(seed);
        for (const World::Id id : world.ids()) {
            Flags flags(world[id].count);
            for (uint32_t& word : flags)
                word = std::array{
                    0u, 0u, shared::kMarkSelected, shared::kMarkSelected, shared::kMarkHidden, shared::kMarkDeleted}[rng.below(6)];
            setFlags(id, flags);
        }
    }

    reference::Scene scene;
    Gaussians other;
    World world;
    World::Id first, unseen, second, live;
    EditHistory history;
};

}  // namespace splat
