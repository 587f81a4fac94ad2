#include <splatwright/view/edit_history.h>

#include <array>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include "marked_world.h"

namespace splat {
namespace {

uint32_t edited(MarkEdit edit, uint32_t flags) {
    constexpr uint32_t kSelected = shared::kMarkSelected, kHidden = shared::kMarkHidden, kDeleted = shared::kMarkDeleted;
    if (flags == kDeleted) return flags;
    if (flags == kHidden) return edit == MarkEdit::unhide ? 0 : flags;
    const bool selected = flags == kSelected;
    switch (edit) {
        case MarkEdit::selectAll: return kSelected;
        case MarkEdit::selectNone: return 0;
        case MarkEdit::invert: return selected ? 0 : kSelected;
        case MarkEdit::hide: return selected ? kHidden : 0;
        case MarkEdit::unhide: return flags;
        case MarkEdit::deleteSelected: return selected ? kDeleted : 0;
        case MarkEdit::crop: return selected ? kSelected : kDeleted;
    }
    return flags;
}

Flags edited(MarkEdit edit, Flags flags) {
    for (uint32_t& word : flags) word = edited(edit, word);
    return flags;
}

shared::MarkCounts counted(const Flags& flags) {
    shared::MarkCounts c{};
    for (const uint32_t word : flags) {
        c.selected += word == shared::kMarkSelected ? 1 : 0;
        c.hidden += word == shared::kMarkHidden ? 1 : 0;
        c.deleted += word == shared::kMarkDeleted ? 1 : 0;
    }
    return c;
}

void expectCounts(const shared::MarkCounts& found, const shared::MarkCounts& expected) {
    EXPECT_EQ(found.selected, expected.selected);
    EXPECT_EQ(found.hidden, expected.hidden);
    EXPECT_EQ(found.deleted, expected.deleted);
}

constexpr std::array kEdits{MarkEdit::selectAll, MarkEdit::selectNone,     MarkEdit::invert, MarkEdit::hide,
                            MarkEdit::unhide,    MarkEdit::deleteSelected, MarkEdit::crop};

TEST(EditHistory, EveryEditDoesWhatItSaysAndComesBack) {
    for (const size_t count : std::initializer_list<size_t>{255, 256, 257, 2047, 2048, 2049, 5000}) {
        for (const MarkEdit edit : kEdits) {
            SCOPED_TRACE(fmt::format("{} gaussians, edit {}", count, static_cast<uint32_t>(edit)));
            MarkedWorld w(count);
            w.scatterFlags(count);
            const auto before = w.allFlags();
            auto expected = before;
            for (const World::Id id : {w.first, w.second}) expected[id] = edited(edit, before[id]);
            w.history.edit(edit);
            EXPECT_EQ(w.allFlags(), expected);
            w.history.undo();
            EXPECT_EQ(w.allFlags(), before);
            w.history.redo();
            EXPECT_EQ(w.allFlags(), expected);
        }
    }
}

TEST(EditHistory, OfOneModelSelectsInvertsAndCropsOnlyThere) {
    for (const MarkEdit edit : kEdits) {
        SCOPED_TRACE(static_cast<uint32_t>(edit));
        MarkedWorld w(300);
        w.scatterFlags(4);
        const auto before = w.allFlags();
        auto expected = before;
        expected[w.first] = edited(edit, before[w.first]);
        const bool stays = edit == MarkEdit::invert || edit == MarkEdit::crop;
        if (!stays) expected[w.second] = edited(edit == MarkEdit::selectAll ? MarkEdit::selectNone : edit, before[w.second]);
        w.history.edit(edit, w.first);
        EXPECT_EQ(w.allFlags(), expected);
        w.history.undo();
        EXPECT_EQ(w.allFlags(), before);
        w.history.redo();
        EXPECT_EQ(w.allFlags(), expected);
    }
}

TEST(EditHistory, GoesBackThroughEverythingAndForwardAgain) {
    MarkedWorld w(777);
    std::vector<std::vector<Flags>> states{w.allFlags()};
    std::vector<ModelTransform> transforms{w.world[w.first].transform};
    const auto remember = [&] {
        states.push_back(w.allFlags());
        transforms.push_back(w.world[w.first].transform);
    };
    const auto step = [&](const auto& action) {
        action();
        remember();
    };
    step([&] { w.history.select(ScreenRectangle{w.scene.camera, {0, 0}, {60, 96}}, Combine::set); });
    step([&] { w.history.edit(MarkEdit::hide); });
    step([&] { w.history.setTransform(w.first, {.translation = {1, 2, 3}}); });
    step([&] { w.history.select(OpacityRange{0.5f, 1}, Combine::add); });
    step([&] { w.history.edit(MarkEdit::deleteSelected); });
    step([&] { w.history.edit(MarkEdit::unhide); });
    step([&] { w.history.edit(MarkEdit::crop); });
    EXPECT_EQ(w.history.redoName(), "");
    EXPECT_EQ(w.history.undoName(), "crop");
    for (size_t i = states.size() - 1; i-- > 0;) {
        w.history.undo();
        EXPECT_EQ(w.allFlags(), states[i]) << i;
        EXPECT_EQ(w.world[w.first].transform, transforms[i]) << i;
    }
    EXPECT_EQ(w.history.undoName(), "");
    w.history.undo();  // does nothing
    EXPECT_EQ(w.allFlags(), states[0]);
    for (size_t i = 1; i < states.size(); ++i) {
        w.history.redo();
        EXPECT_EQ(w.allFlags(), states[i]) << i;
        EXPECT_EQ(w.world[w.first].transform, transforms[i]) << i;
    }
    w.history.redo();
    EXPECT_EQ(w.allFlags(), states.back());
}

TEST(EditHistory, ANewEditForgetsWhatWasTakenBack) {
    MarkedWorld w(300);
    w.history.edit(MarkEdit::selectAll);
    w.history.edit(MarkEdit::hide);
    w.history.undo();
    EXPECT_EQ(w.history.redoName(), "hide");
    w.history.edit(MarkEdit::invert);
    EXPECT_EQ(w.history.redoName(), "");
    const auto now = w.allFlags();
    w.history.redo();
    EXPECT_EQ(w.allFlags(), now);
    w.history.undo();
    w.history.undo();
    EXPECT_EQ(w.flags(w.first), Flags(300, 0));
}

TEST(EditHistory, ADragIsOneEditAndNoneWhereItEndsWhereItBegan) {
    MarkedWorld w(10);
    const ModelTransform start = w.world[w.second].transform;
    const auto drag = [&](World::Id id, double x) { w.history.dragTransform(id, {.translation = {x, 0, 0}}); };
    for (const double x : {0.1, 0.2, 0.3}) drag(w.second, x);
    EXPECT_EQ(w.history.undoName(), "");
    w.history.endDrag();
    EXPECT_EQ(w.history.undoName(), "move second");
    w.history.undo();
    EXPECT_EQ(w.world[w.second].transform, start);
    EXPECT_EQ(w.history.undoName(), "");
    w.history.dragTransform(w.second, {.translation = {9, 0, 0}});
    w.history.dragTransform(w.second, start);
    w.history.endDrag();
    EXPECT_EQ(w.history.undoName(), "");
    EXPECT_EQ(w.history.redoName(), "move second");
}

/// As where keys are pressed while a handle is dragged, or another model becomes the current one.
TEST(EditHistory, ADragEndsBeforeWhateverComesBetween) {
    MarkedWorld w(10);
    const ModelTransform first = w.world[w.first].transform, second = w.world[w.second].transform;
    const ModelTransform moved{.translation = {0.5, 0, 0}}, further{.translation = {0.75, 0, 0}};
    w.history.dragTransform(w.first, moved);
    w.history.dragTransform(w.second, moved);
    w.history.edit(MarkEdit::selectAll);
    w.history.dragTransform(w.first, further);
    w.history.undo();
    EXPECT_EQ(w.world[w.first].transform, moved);
    w.history.redo();
    EXPECT_EQ(w.world[w.first].transform, further);
    w.history.undo();
    EXPECT_EQ(w.history.undoName(), "select all");
    w.history.undo();
    EXPECT_EQ(w.history.undoName(), "move second");
    w.history.undo();
    EXPECT_EQ(w.world[w.second].transform, second);
    EXPECT_EQ(w.world[w.first].transform, moved);
    w.history.undo();
    EXPECT_EQ(w.world[w.first].transform, first);
    EXPECT_EQ(w.history.undoName(), "");
    w.history.dragTransform(w.first, moved);
    w.history.setTransform(w.first, further);
    w.history.undo();
    EXPECT_EQ(w.world[w.first].transform, moved);
    w.history.dragTransform(w.second, moved);
    w.history.remove(w.second);
    w.history.endDrag();
    EXPECT_EQ(w.history.undoName(), "move first");
}

TEST(EditHistory, TheOldestEditsGoWhereMemoryEnds) {
    MarkedWorld w(4000);
    EditHistory small(testDevice(), w.world, 7000);  // an edit of 4070 gaussians takes some 2035 bytes
    for (int i = 0; i < 10; ++i) {
        small.edit(MarkEdit::invert);
        EXPECT_LE(small.bytes(), 7000u);
    }
    int undone = 0;
    for (; !small.undoName().empty(); ++undone) small.undo();
    EXPECT_EQ(undone, 3);
    EXPECT_EQ(w.flags(w.first), Flags(4000, shared::kMarkSelected));  // seven inversions are left

    EditHistory none(testDevice(), w.world, 0);
    none.edit(MarkEdit::selectNone);
    none.edit(MarkEdit::selectAll);
    EXPECT_EQ(none.undoName(), "select all");
    none.undo();
    EXPECT_EQ(none.undoName(), "");
}

TEST(EditHistory, ComesBackWhereModelsCameAndWent) {
    MarkedWorld w(300);
    w.scatterFlags(5);
    const Flags before = w.flags(w.second);
    w.history.edit(MarkEdit::invert);
    const Flags after = w.flags(w.second);
    w.history.remove(w.first);  // the second model's gaussians move to other places
    const World::Id added = w.world.add("added", w.other);
    EXPECT_EQ(added, w.first) << "the id of the removed one";
    w.history.undo();
    EXPECT_EQ(w.flags(w.second), before);
    EXPECT_EQ(w.flags(added), Flags(70, 0));
    w.history.redo();
    EXPECT_EQ(w.flags(w.second), after);
}

TEST(EditHistory, ForgetsWhatOnlyConcernedARemovedModel) {
    MarkedWorld w(50);
    w.world.setVisible(w.second, false);
    w.history.edit(MarkEdit::selectAll);  // of the first
    w.history.setTransform(w.first, {});
    w.world.setVisible(w.second, true);
    w.world.setVisible(w.first, false);
    w.history.edit(MarkEdit::selectAll);  // of the second
    w.history.edit(MarkEdit::hide);
    w.history.undo();
    w.history.remove(w.first);
    EXPECT_EQ(w.history.undoName(), "select all");
    EXPECT_EQ(w.history.redoName(), "hide");
    w.history.undo();
    EXPECT_EQ(w.history.undoName(), "");
    EXPECT_EQ(w.flags(w.second), Flags(70, 0));
}

/// Edits of marks and of transforms, of each model alone and of both.
constexpr size_t kManyEdits = 6;
void makeEdit(MarkedWorld& w, size_t i) {
    const auto alone = [&](World::Id hidden, MarkEdit edit) {
        w.world.setVisible(hidden, false);
        w.history.edit(edit);
        w.world.setVisible(hidden, true);
    };
    switch (i) {
        case 0: return w.history.setTransform(w.first, {.translation = {1, 2, 3}});
        case 1: return w.history.edit(MarkEdit::invert);
        case 2: return alone(w.second, MarkEdit::hide);
        case 3: return w.history.setTransform(w.second, {.translation = {4, 5, 6}});
        case 4: return alone(w.first, MarkEdit::deleteSelected);
        default: return w.history.edit(MarkEdit::selectAll);
    }
}

// Whatever was taken back before: the model that comes next under the id of the removed one, with as many gaussians, is in none of the edits.
TEST(EditHistory, WhatARemovedModelWasEditedNeverComesBackToAnother) {
    for (size_t undone = 0; undone <= kManyEdits; ++undone) {
        SCOPED_TRACE(testing::Message() << undone << " edits taken back");
        MarkedWorld w(70);
        w.scatterFlags(6);
        std::vector<Flags> flags;  // of the second model, after so many edits
        std::vector<ModelTransform> transforms;
        for (size_t i = 0; i <= kManyEdits; ++i) {
            if (i > 0) makeEdit(w, i - 1);
            flags.push_back(w.flags(w.second));
            transforms.push_back(w.world[w.second].transform);
        }
        for (size_t i = 0; i < undone; ++i) w.history.undo();
        w.history.remove(w.first);
        const World::Id added = w.world.add("added", w.other);
        ASSERT_EQ(added, w.first);
        const auto expectState = [&](size_t edits) {
            EXPECT_EQ(w.flags(w.second), flags[edits]);
            EXPECT_EQ(w.world[w.second].transform, transforms[edits]);
            EXPECT_EQ(w.flags(added), Flags(70, 0));
            EXPECT_EQ(w.world[added].transform, ModelTransform{});
        };
        expectState(kManyEdits - undone);
        size_t back = 0, forth = 0;
        for (; !w.history.undoName().empty(); ++back) w.history.undo();
        expectState(0);
        for (; !w.history.redoName().empty(); ++forth) w.history.redo();
        expectState(kManyEdits);
        EXPECT_EQ(forth, kManyEdits - 2) << "the first model's transform and its own hiding are forgotten";
        EXPECT_LE(back, forth);
    }
}

TEST(EditHistory, CountsComeWithoutAnyWait) {
    gpu::Device& device = testDevice();
    for (const size_t count : std::initializer_list<size_t>{1, 255, 256, 257, 2047, 2048, 2049, 5000}) {
        MarkedWorld w(count);
        w.scatterFlags(count + 3);
        const shared::MarkCounts first = counted(w.flags(w.first)), unseen = counted(w.flags(w.unseen)),
                                 second = counted(w.flags(w.second));
        const uint64_t waits = device.waits();
        w.history.poll();
        while (!w.history.poll()) {
        }
        expectCounts(w.history.counts(w.first), first);
        expectCounts(w.history.counts(w.unseen), unseen);
        expectCounts(w.history.counts(w.second), second);
        expectCounts(w.history.counts(), {first.selected + second.selected, first.hidden + unseen.hidden + second.hidden,
                                          first.deleted + unseen.deleted + second.deleted});
        w.history.edit(MarkEdit::deleteSelected);
        w.history.undo();
        w.history.redo();
        while (w.history.counts().selected > 0 || first.selected + second.selected == 0) {
            if (w.history.poll()) break;
        }
        EXPECT_EQ(device.waits(), waits);
        w.history.finish();
        expectCounts(w.history.counts(), {0, first.hidden + unseen.hidden + second.hidden,
                                          first.deleted + unseen.deleted + second.deleted + first.selected + second.selected});
    }
}

TEST(EditHistory, CountsFollowModelsThatComeAndGo) {
    MarkedWorld w(300);
    w.history.edit(MarkEdit::selectAll);
    w.history.finish();
    EXPECT_EQ(w.history.counts().selected, 370u);
    w.history.remove(w.first);
    w.history.finish();
    EXPECT_EQ(w.history.counts().selected, 70u);
    w.world.add("added", w.other);
    w.history.finish();
    EXPECT_EQ(w.history.counts().selected, 70u);
    EXPECT_EQ(w.history.counts(w.first).selected, 0u);
}

TEST(EditHistory, AnEmptyWorldCanBeEdited) {
    World world(testDevice());
    EditHistory history(testDevice(), world);
    history.edit(MarkEdit::selectAll);
    history.select(WorldSphere{{}, 1}, Combine::set);
    history.undo();
    history.redo();
    history.finish();
    expectCounts(history.counts(), {});
}

TEST(EditHistory, WhereThereIsNoRoomNothingChanges) {
    gpu::DeviceOptions options = testDeviceOptions();
    options.memoryLimit = VkDeviceSize{8} << 20u;
    gpu::Device device(options);
    World world(device);
    Gaussians g;
    g.resize(30'000, 0);
    const World::Id id = world.add("model", g);
    const auto left = static_cast<size_t>(static_cast<int64_t>(options.memoryLimit) - device.memoryInUse());
    EditHistory history(device, world);
    history.edit(MarkEdit::selectAll);
    std::vector<gpu::Buffer> rest;
    rest.push_back(device.buffer<std::byte>("all that is left", left - 17'000));
    EXPECT_THROW(history.edit(MarkEdit::deleteSelected), gpu::OutOfMemory);
    EXPECT_EQ(history.undoName(), "select all");
    rest.clear();
    history.finish();
    EXPECT_EQ(history.counts(id).selected, 30'000u);
}

}  // namespace
}  // namespace splat
