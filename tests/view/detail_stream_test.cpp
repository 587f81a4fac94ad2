// Streamed models: levels are chosen by error within a budget, what is drawn is there, and what arrives late is blurred, never missing.
#include <splatwright/view/detail_stream.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/cameras/look_at.h>
#include <splatwright/scene/formats/sog/streamed_sog_writer.h>
#include <splatwright/scene/gaussians/selected.h>
#include "../scene/scratch.h"
#include "kernels/choose_levels.h"
#include "world_scene.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

TEST(PagePool, GivesEveryPageToOneAndTakesAllBack) {
    Rng rng(3);
    PagePool pool(1000);
    std::vector<std::vector<PageRun>> taken;
    std::set<uint32_t> used;
    for (int turn = 0; turn < 2000; ++turn) {
        if (!taken.empty() && rng.below(2) == 0) {
            const size_t which = rng.below(taken.size());
            for (const PageRun& run : taken[which])
                for (uint32_t page = run.first; page < run.first + run.count; ++page) used.erase(page);
            pool.giveBack(taken[which]);
            taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(which));
        } else {
            const auto pages = static_cast<uint32_t>(1 + rng.below(60));
            const bool enough = pages <= pool.free();
            const auto runs = pool.take(pages);
            ASSERT_EQ(runs.has_value(), enough);
            if (!runs) continue;
            uint32_t count = 0;
            for (const PageRun& run : *runs)
                for (uint32_t page = run.first; page < run.first + run.count; ++page, ++count)
                    ASSERT_TRUE(page < 1000 && used.insert(page).second) << page;
            ASSERT_EQ(count, pages);
            taken.push_back(*runs);
        }
        ASSERT_EQ(pool.free(), 1000 - used.size());
    }
    for (const auto& runs : taken) pool.giveBack(runs);
    EXPECT_EQ(pool.take(1000)->size(), 1u) << "free pages side by side are one run";
}

/// Random boxes with four levels, and what the kernel chooses for them.
struct Choice {
    static constexpr uint32_t kLevels = 4;

    explicit Choice(uint32_t nodes) {
        Rng rng(nodes);
        const auto number = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
        for (uint32_t node = 0; node < nodes; ++node) {
            const glm::vec3 low(number(-30, 30), number(-4, 4), number(-30, 30)), size(number(0.1, 3), number(0.1, 3), number(0.1, 3));
            boxes.push_back({low - 0.2f, low + size + 0.2f, low, low + size});
            uint32_t count = 500 + static_cast<uint32_t>(rng.below(1000));
            float error = 0;
            for (uint32_t level = 0; level < kLevels; ++level) {
                errors.push_back(error);
                counts.push_back(rng.below(12) == 0 ? 0 : count);
                error += number(0.001, 0.1);
                count /= 3;
            }
            resident.push_back(static_cast<uint32_t>(rng.below(16)));
        }
    }

    /// Chosen and wanted levels.
    std::pair<Words, Words> choose(const Camera& camera, uint32_t budget) const {
        gpu::Device& device = testDevice();
        const auto uploaded = [&]<class T>(const char* name, const std::vector<T>& values) {
            gpu::Buffer buffer = device.buffer<T>(name, values.size());
            device.upload(buffer, values);
            return buffer;
        };
        const shared::ModelView model{
            .view = viewParameters(camera), .first = 0, .shDegree = 0, .flags = shared::kModelVisible, .tint = {}};
        const gpu::Buffer m = uploaded("models", std::vector{shared::ModelView{}, model});
        const gpu::Buffer p = uploaded("parameters", std::vector{shared::DetailParameters{budget, 0.5f}});
        const gpu::Buffer b = uploaded("boxes", boxes), e = uploaded("errors", errors), c = uploaded("counts", counts),
                          r = uploaded("resident", resident);
        const gpu::Buffer chosen = device.buffer<uint32_t>("chosen", boxes.size()),
                          wanted = device.buffer<uint32_t>("wanted", boxes.size());
        device.run("choose", [&](gpu::Commands& commands) {
            commands.dispatchGroups(kernels::choose_levels{.models = m,
                                                           .parameters = p,
                                                           .boxes = b,
                                                           .errors = e,
                                                           .counts = c,
                                                           .resident = r,
                                                           .chosen = chosen,
                                                           .wanted = wanted,
                                                           .model = 1,
                                                           .nodes = static_cast<uint32_t>(boxes.size()),
                                                           .levels = kLevels},
                                    1);
        });
        return {device.download<uint32_t>(chosen, boxes.size()), device.download<uint32_t>(wanted, boxes.size())};
    }

    uint32_t count(size_t node, uint32_t level) const { return level == shared::kNoDetailLevel ? 0 : counts[node * kLevels + level]; }
    double pixels(size_t node, uint32_t level, const Camera& camera) const {
        const glm::dvec3 at = camera.position();
        const glm::dvec3 away = glm::max(glm::max(glm::dvec3(boxes[node].coreLow) - at, at - glm::dvec3(boxes[node].coreHigh)), 0.0);
        return static_cast<double>(errors[node * kLevels + level]) * camera.fx / std::max(glm::length(away), 0.01);
    }

    /// Splats of the nodes in the picture in their coarsest levels with at most so many pixels of error.
    uint64_t splatsBelow(double most, const Words& wanted, const Camera& camera) const {
        uint64_t splats = 0;
        for (uint32_t node = 0; node < boxes.size(); ++node) {
            uint32_t taken = shared::kNoDetailLevel;
            for (uint32_t level = 0; level < kLevels; ++level)
                if (count(node, level) > 0 && (taken == shared::kNoDetailLevel || pixels(node, level, camera) <= most)) taken = level;
            if ((wanted[node] & shared::kDetailUnseen) == 0) splats += count(node, taken);
        }
        return splats;
    }

    std::vector<shared::DetailBox> boxes;
    std::vector<float> errors;
    Words counts, resident;
};

Camera somewhere() { return lookAt({0, -1, -8}, {2, 0, 5}, {0, -1, 0}, 300, 400, 300); }

TEST(ChooseLevels, TakesTheBestThatTheBudgetAllowsAndTheSameErrorEverywhere) {
    for (const uint32_t nodes : {1u, 255u, 256u, 257u, 3000u}) {
        const Choice choice(nodes);
        const Camera camera = somewhere();
        uint64_t before = 0;
        for (const uint32_t budget : {0u, 3'000u, 30'000u, 100'000u, 1'000'000u, 4'000'000u}) {
            SCOPED_TRACE(fmt::format("{} nodes, budget {}", nodes, budget));
            const auto [chosen, wanted] = choice.choose(camera, budget);
            uint64_t splats = 0, coarsest = 0;
            double worstTaken = 0, bestRefused = 1e30;
            for (uint32_t node = 0; node < nodes; ++node) {
                const uint32_t level = wanted[node] & shared::kNoDetailLevel;
                if ((wanted[node] & shared::kDetailUnseen) != 0) {
                    EXPECT_EQ(chosen[node], shared::kNoDetailLevel);
                    continue;
                }
                if (level == shared::kNoDetailLevel) continue;  // it has no splats at all
                EXPECT_GT(choice.count(node, level), 0u);
                splats += choice.count(node, level);
                uint32_t finest = Choice::kLevels, last = 0;
                for (uint32_t l = 0; l < Choice::kLevels; ++l)
                    if (choice.count(node, l) > 0) finest = std::min(finest, l), last = l;
                coarsest += choice.count(node, last);
                if (level != finest) worstTaken = std::max(worstTaken, choice.pixels(node, level, camera));
                for (uint32_t l = level + 1; l < Choice::kLevels; ++l)
                    if (choice.count(node, l) > 0) bestRefused = std::min(bestRefused, choice.pixels(node, l, camera));
            }
            EXPECT_LE(splats, std::max<uint64_t>(budget, coarsest));
            EXPECT_GE(splats, before) << "a larger budget has more splats";
            before = splats;
            EXPECT_LT(worstTaken, bestRefused * 1.07)
                << "one node has a larger error than another was allowed";  // a bin is a twelfth of an octave
            if (worstTaken > 0.54) {                                        // the least error, or a bin more
                EXPECT_GT(choice.splatsBelow(worstTaken / 1.13, wanted, camera), budget) << "the budget allows less error";
            }
        }
    }
}

TEST(ChooseLevels, NothingIsFinerThanHalfAPixel) {
    const Choice choice(500);
    const Camera camera = somewhere();
    const auto [chosen, wanted] = choice.choose(camera, 1u << 30u);
    size_t coarser = 0;
    for (size_t node = 0; node < wanted.size(); ++node) {
        const uint32_t level = wanted[node] & shared::kNoDetailLevel;
        if (wanted[node] >= shared::kDetailUnseen || level == shared::kNoDetailLevel) continue;
        for (uint32_t l = level + 1; l < Choice::kLevels; ++l)
            EXPECT_TRUE(choice.count(node, l) == 0 || choice.pixels(node, l, camera) > 0.5 / 1.07) << node;
        coarser += level > 0 ? 1 : 0;
    }
    EXPECT_GT(coarser, 5u);
}

TEST(ChooseLevels, DrawsTheNextCoarserLevelThatIsThereOrElseAFinerOne) {
    const Choice choice(2000);
    const auto [chosen, wanted] = choice.choose(somewhere(), 200'000);
    for (size_t node = 0; node < wanted.size(); ++node) {
        const uint32_t level = wanted[node] & shared::kNoDetailLevel, there = choice.resident[node];
        uint32_t expected = shared::kNoDetailLevel;
        if (wanted[node] < shared::kDetailUnseen && level != shared::kNoDetailLevel) {
            for (uint32_t l = 0; l < level; ++l)
                if ((there >> l & 1u) != 0) expected = l;
            for (uint32_t l = Choice::kLevels; l-- > level;)
                if ((there >> l & 1u) != 0) expected = l;
        }
        EXPECT_EQ(chosen[node], expected) << node;
    }
}

/// A corner of a node that the picture shows is never outside of it for the kernel.
TEST(ChooseLevels, NodesInThePictureAreSeen) {
    const Choice choice(3000);
    const Camera camera = somewhere();
    const auto [chosen, wanted] = choice.choose(camera, 100'000);
    size_t outside = 0;
    for (size_t node = 0; node < wanted.size(); ++node) {
        const bool unseen = (wanted[node] & shared::kDetailUnseen) != 0;
        outside += unseen ? 1 : 0;
        const shared::DetailBox& box = choice.boxes[node];
        for (int corner = 0; corner < 8; ++corner) {
            const glm::dvec3 at(corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                                corner & 4 ? box.high.z : box.low.z);
            const glm::dvec3 c = camera.rotation * at + camera.translation;
            if (c.z < 0.01) continue;
            const glm::dvec2 pixel(camera.fx * c.x / c.z + camera.cx, camera.fy * c.y / c.z + camera.cy);
            const bool shown = pixel.x > 0 && pixel.y > 0 && pixel.x < camera.width && pixel.y < camera.height;
            EXPECT_FALSE(shown && unseen) << node;
        }
    }
    EXPECT_GT(outside, 500u) << "a poor test";
}

/// Splats in a row of nodes along x, with three levels: all, every fourth, every sixteenth, which are larger.
class StreamedRow {
public:
    static constexpr size_t kNodes = 6, kPerNode = 800;

    explicit StreamedRow(const fs::path& path, bool emptyNodeFirst = false) : path_(path) {
        StreamedSogWriter writer(path, 3, {}, 2000);
        if (emptyNodeFirst) writer.add(node(0, std::vector<SplatRange>(3)));
        Rng rng(9);
        const auto within = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
        for (size_t n = 0; n < kNodes; ++n) {
            Gaussians g;
            g.resize(kPerNode, 0);
            for (size_t i = 0; i < kPerNode; ++i) {
                g.means[i] = {static_cast<float>(n) + within(0, 1), within(-1, 1), within(-0.2, 0.2)};
                g.rotations[i] = {1, 0, 0, 0};
                g.logScales[i] = glm::vec3(-3.2f);
                g.logitOpacities[i] = 2;
                g.sh[i] = {within(-1, 1), within(-1, 1), within(-1, 1)};
            }
            std::vector<Gaussians> levels;
            for (uint32_t level = 0, step = 1; level < 3; ++level, step *= 4) {
                std::vector<uint32_t> indices;
                for (uint32_t i = 0; i < kPerNode; i += step) indices.push_back(i);
                levels.push_back(selected(g, indices));
                for (glm::vec3& scale : levels.back().logScales) scale += 0.7f * static_cast<float>(level);
            }
            std::vector<SplatRange> ranges;
            for (size_t level = 0; level < levels.size(); ++level) ranges.push_back(writer.append(level, levels[level]));
            writer.add(node(n, std::move(ranges)));
        }
        writer.finish();
    }
    const fs::path& path() const { return path_; }

private:
    static DetailNode node(size_t n, std::vector<SplatRange> levels) {
        const auto x = static_cast<float>(n);
        const glm::vec3 low(x, -1, -0.2f), high(x + 1, 1, 0.2f);
        return {.low = low - 0.3f,
                .high = high + 0.3f,
                .coreLow = low,
                .coreHigh = high,
                .levels = std::move(levels),
                .errors = {0, 0.1f, 0.4f},
                .differences = {}};
    }

    fs::path path_;
};

Camera acrossTheRow() { return lookAt({3, 0, -6}, {3, 0, 0}, {0, -1, 0}, 200, 256, 160); }

/// Frames until all that they want is there.
Words settled(DetailStream& stream, WorldScene& scene, const Camera& camera) {
    for (int frame = 0; frame < 2000; ++frame) {
        stream.update();
        scene.draw(camera);
        if (frame > 3 && stream.complete()) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(stream.complete());
    return scene.picture();
}

size_t differing(const Words& a, const Words& b) {
    size_t count = 0;
    for (size_t i = 0; i < a.size(); ++i) count += static_cast<size_t>(a[i] != b[i]);
    return count;
}

TEST(DetailStream, EndsAtThePictureOfTheWholeModel) {
    const test::Scratch scratch;
    for (const char* name : {"scene.ssog", "lod-meta.json"}) {
        const StreamedRow row(scratch.path() / name);
        WorldScene scene;
        const Gaussians before = reference::makeMixedScene(64, 64, 48, 1, 0).gaussians;
        scene.world.add("another model in front of it in the buffers", before);
        scene.world.setVisible(0, false);
        DetailStream stream(testDevice(), scene.world, "row", row.path(), 100'000);
        const Words whole = rendered(stream.scene().readLevel(0), acrossTheRow());
        const Words coarse = rendered(stream.scene().readLevel(2), acrossTheRow());
        EXPECT_LT(differing(scene.draw(acrossTheRow()), coarse), whole.size() / 1000) << "before anything has been read";
        EXPECT_LT(differing(settled(stream, scene, acrossTheRow()), whole), whole.size() / 1000);
        EXPECT_GT(differing(coarse, whole), whole.size() / 10) << "a poor test";
    }
}

TEST(DetailStream, TheFirstNodeMayHaveNoSplats) {
    const test::Scratch scratch;
    const StreamedRow row(scratch.path() / "scene.ssog", true);
    WorldScene scene;
    DetailStream stream(testDevice(), scene.world, "row", row.path(), 100'000);
    ASSERT_EQ(stream.scene().nodes().front().levels.back().count, 0u);
    const Words whole = rendered(stream.scene().readLevel(0), acrossTheRow());
    EXPECT_LT(differing(settled(stream, scene, acrossTheRow()), whole), whole.size() / 1000);
}

TEST(DetailStream, DrawsNoMoreThanItsBudgetAndNeverLess) {
    const test::Scratch scratch;
    const StreamedRow row(scratch.path() / "scene.ssog");
    WorldScene scene;
    DetailStream stream(testDevice(), scene.world, "row", row.path(), 2000);
    EXPECT_LE(scene.world[stream.id()].capacity, 2 * 2000 + 8 * 256 + StreamedRow::kNodes * 256);
    for (int step = 0; step <= 30; ++step) {  // along the row and back, close to it, while levels come and go
        const double x = 6.0 * std::abs(15 - step) / 15;
        const Camera camera = lookAt({x, 0, -1.2}, {x, 0, 0}, {0, -1, 0}, 150, 128, 96);
        stream.update();
        scene.draw(camera);
        for (const FrameReport& report : scene.view.reports()) EXPECT_LE(report.visible, 2000u);
        const Words whole = rendered(stream.scene().readLevel(0), camera);
        const Words picture = scene.picture();
        int64_t holes = 0;
        for (size_t i = 0; i < picture.size(); ++i)
            holes += picture[i] == pixelWord(kBackground) && whole[i] != pixelWord(kBackground) ? 1 : 0;
        EXPECT_LT(holes, std::ssize(picture) / 50) << "step " << step;
    }
    const Camera close = lookAt({1, 0, -1.2}, {1, 0, 0}, {0, -1, 0}, 150, 128, 96);
    settled(stream, scene, close);
    EXPECT_LE(stream.resident(), scene.world[stream.id()].capacity);
}

/// Pages that are used again show their new splats only, whatever was in them before.
TEST(DetailStream, ShowsTheSameFromTheSamePlaceWhateverCameBetween) {
    const test::Scratch scratch;
    const StreamedRow row(scratch.path() / "scene.ssog");
    WorldScene scene;
    DetailStream stream(testDevice(), scene.world, "row", row.path(), 1700);
    Rng rng(4);
    std::map<std::pair<uint64_t, uint64_t>, Words> seen;
    size_t again = 0;
    for (int step = 0; step < 60; ++step) {
        const uint64_t place = rng.below(6), distance = rng.below(3);
        const double x = 0.5 + static_cast<double>(place), z = -0.7 - static_cast<double>(distance * distance);
        const Words picture = settled(stream, scene, lookAt({x, 0, z}, {x, 0, 0}, {0, -1, 0}, 150, 64, 48));
        const auto [first, isNew] = seen.try_emplace({place, distance}, picture);
        EXPECT_LT(differing(picture, first->second), picture.size() / 500) << "step " << step;
        again += isNew ? 0 : 1;
    }
    EXPECT_GT(again, 30u);
}

/// Splats by node and level.
using Holdings = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

Holdings inPages(const DetailTables& tables) {
    Holdings held;
    for (const shared::DetailPage& page : testDevice().download<shared::DetailPage>(tables.pages(), tables.pageCount()))
        if (page.owner != 0) held[{(page.owner - 1) >> shared::kDetailLevelBits, (page.owner - 1) & shared::kNoDetailLevel}] += page.count;
    return held;
}

Holdings residentOf(const DetailTables& tables, const StreamedSog& scene) {
    const auto bits = testDevice().download<uint32_t>(tables.resident(), scene.nodes().size());
    Holdings resident;
    for (uint32_t node = 0; node < bits.size(); ++node)
        for (uint32_t level = 0; level < scene.levels(); ++level)
            if ((bits[node] >> level & 1U) != 0) resident[{node, level}] = scene.nodes()[node].levels[level].count;
    return resident;
}

/// Splats of the levels that the last frame should have drawn: the wanted ones, or the next coarser ones that are there, or else finer ones.
uint64_t splatsToDraw(const DetailTables& tables, const Holdings& resident) {
    uint64_t splats = 0;
    for (uint32_t node = 0; node < tables.wanted().size(); ++node) {
        const uint32_t wanted = tables.wanted()[node];
        auto drawn = resident.lower_bound({node, wanted});
        if (drawn == resident.end() || drawn->first.first != node) --drawn;
        if ((wanted & shared::kDetailUnseen) == 0) splats += drawn->second;
    }
    return splats;
}

/// A page that is freed is nobody's until it is given to another level.
TEST(DetailStream, PagesOfADroppedLevelAreNeverDrawnAgain) {
    const test::Scratch scratch;
    const StreamedRow row(scratch.path() / "scene.ssog");
    WorldScene scene;
    DetailStream stream(testDevice(), scene.world, "row", row.path(), 1700);
    const DetailTables& tables = *scene.world[stream.id()].details;
    Rng rng(7);
    Holdings before;
    size_t dropped = 0, returned = 0;
    std::set<std::pair<uint32_t, uint32_t>> gone;
    for (int step = 0; step < 40; ++step) {
        const double x = 0.5 + static_cast<double>(rng.below(6)), z = -0.7 - static_cast<double>(rng.below(3));
        settled(stream, scene, lookAt({x, 0, z}, {x, 0, 0}, {0, -1, 0}, 150, 64, 48));
        const Holdings resident = residentOf(tables, stream.scene());
        ASSERT_EQ(inPages(tables), resident) << "step " << step;
        ASSERT_EQ(scene.world.gaussiansOf(stream.id()).count(), splatsToDraw(tables, resident)) << "step " << step;
        for (const auto& [level, splats] : before)
            if (!resident.contains(level)) dropped += gone.insert(level).second ? 1U : 0U;
        for (const auto& [level, splats] : resident) returned += gone.erase(level);
        before = resident;
    }
    EXPECT_GT(dropped, 10u);
    EXPECT_GT(returned, 5u) << "a poor test";
}

TEST(DetailStream, AFileThatCannotBeReadIsNamedAndTheRestStays) {
    const test::Scratch scratch;
    const StreamedRow row(scratch.path() / "lod-meta.json");
    fs::remove(scratch.path() / "0_0/quats.webp");
    WorldScene scene;
    DetailStream stream(testDevice(), scene.world, "row", row.path(), 100'000);
    settled(stream, scene, acrossTheRow());
    EXPECT_NE(stream.takeProblem().find("quats.webp"), std::string::npos);
    EXPECT_EQ(stream.takeProblem(), "");
    fs::remove(scratch.path() / "2_0/quats.webp");
    WorldScene other;
    EXPECT_THROW(DetailStream(testDevice(), other.world, "row", row.path()), InputError);
    EXPECT_TRUE(other.world.ids().empty()) << "a model without its coarsest levels";
}

TEST(DetailStream, RefusesABudgetThatAFrameCannotIndex) {
    const test::Scratch scratch;
    const StreamedRow row(scratch.path() / "scene.ssog");
    WorldScene scene;
    EXPECT_THROW(DetailStream(testDevice(), scene.world, "row", row.path(), 16'777'216), InputError);
}

}  // namespace
}  // namespace splat
