// What the panel "See inside" has of a tile's lists, gradients and draws, against the double-precision renderer and against itself, bit for bit.
#include <cmath>
#include <map>
#include <numeric>

#include <splatwright/scene/cameras/camera_file.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/shared/frame.h>
#include "reference/gradients.h"
#include "reference/losses.h"
#include "sheet.h"
#include "train_view.h"

namespace splat {
namespace {

using namespace test;

constexpr size_t kWords = 9;
using Rows = std::vector<std::array<float, kWords>>;

struct ViewerInside : TrainView {
    const std::vector<View> views = loadDataset(data).views;

    ViewerInside() { size = "32x24"; }

    /// Without a window, whose picture has the size of the dataset's images.
    Outcome follow(const std::string& script) const {
        std::ofstream(at("script.txt")) << script;
        return splatwright({"view", "--headless", "--script", at("script.txt"), "--size", size, "--validate"});
    }
    /// A model after some steps, looked at through a view of the dataset.
    std::string train(const std::string& more = "") const {
        return "train_set init random\ntrain_set init_count 60\ntrain_set steps 20\n" + more + "open " + data.string() +
               "\nwait phase ready\nkey T\nwait phase finished\nkey Tab\n" + lookThrough(0);
    }
    std::string lookThrough(size_t view) const { return "view " + views[view].name + "\nwait picture\n"; }
    std::string seeInside(glm::uvec2 pixel, const std::string& report, const std::string& place = "") const {
        return fmt::format("click {} {}\nwait picture\nwait frames 2\nsee_inside {}\n", pixel.x, pixel.y, place) + writeReport(report);
    }
    json inside(const std::string& report = "report.json") const { return readReport(report).at("inside"); }
    Gaussians saved() const { return readPly(at("saved.ply")); }
    std::string save() const { return "save " + at("saved.ply").string() + "\n"; }
};

/// Pixels of all four tiles.
constexpr glm::uvec2 kPixels[] = {{8, 8}, {24, 8}, {8, 20}, {24, 20}};

std::vector<uint32_t> listOf(const json& inside) { return inside.at("list").at("sorted").get<std::vector<uint32_t>>(); }

Image<double> pixelsOf(const Image8& image) {
    Image<double> pixels(image.width, image.height, 3);
    std::ranges::transform(image.pixels, pixels.pixels.begin(), [](uint8_t value) { return value / 255.0; });
    return pixels;
}

/// Of the double-precision renderer: the splats as a camera projects them, and gradients of the loss by the pixels of one tile.
struct Reference {
    Reference(const Gaussians& gaussians, const Camera& camera, const Image8& photograph, double lambda)
        : settings{.shDegree = gaussians.shDegree, .antialiased = gaussians.antialiased},
          projected(reference::projectAll(reference::fromGaussians(gaussians), camera, settings)),
          gradient(reference::photometricLoss(reference::blend(projected, camera.width, camera.height, settings).colour,
                                              pixelsOf(photograph), lambda)
                       .gradient) {}

    std::vector<reference::ProjectedGradient> ofTile(glm::uvec2 pixel) const {
        Image<double> tile = gradient;
        for (int y = 0; y < tile.height; ++y)
            for (int x = 0; x < tile.width; ++x)
                if (glm::uvec2(x, y) / shared::kTileSize != pixel / shared::kTileSize) std::ranges::fill(tile.at(x, y), 0.0);
        return reference::blendBackward(projected, settings, {.colour = tile, .transmittance = {}}).projected;
    }

    reference::Settings settings;
    std::vector<reference::Projected> projected;
    Image<double> gradient;
};

std::array<double, kWords> wordsOf(const reference::ProjectedGradient& g) {
    return {g.mean.x, g.mean.y, g.conic.x, g.conic.y, g.conic.z, g.opacity, g.colour.x, g.colour.y, g.colour.z};
}

/// How far the tile's sums are from the reference's, by the length of those, for the worst word.
double worstError(const json& inside, const std::vector<reference::ProjectedGradient>& expected) {
    const auto list = listOf(inside);
    const Rows sums = inside.at("backward").at("sums");
    double worst = 0;
    for (size_t word = 0; word < kWords; ++word) {
        double difference = 0, length = 0;
        for (size_t place = 0; place < sums.size(); ++place) {
            const double value = wordsOf(expected[list[place]])[word];
            difference += std::pow(static_cast<double>(sums[place][word]) - value, 2);
            length += value * value;
        }
        worst = std::max(worst, std::sqrt(difference / length));
    }
    return worst;
}

/// Image of a view, and its camera as the viewer has it, which draws a picture of the same size.
Photograph photographOf(const std::vector<View>& views, const fs::path& data, size_t view) {
    EXPECT_LT(view, views.size());
    return std::move(loadPhotographs(loadDataset(data), {view}, {}).front());
}

TEST_F(ViewerInside, GradientsAreTheReferencesByThatViewsPhotograph) {
    expectSuccess(follow(train() + save() + seeInside({8, 8}, "first.json") + lookThrough(1) + seeInside({24, 8}, "second.json")));
    for (const auto& [view, name] : {std::pair(0, "first.json"), {1, "second.json"}}) {
        SCOPED_TRACE(name);
        const json found = inside(name), report = readReport(name);
        ASSERT_FALSE(found.at("backward").is_null()) << found.at("backward_lacks");
        ASSERT_EQ(report.at("picture").at("width"), 32);
        const Photograph photograph = photographOf(views, data, static_cast<size_t>(view));
        EXPECT_EQ(found.at("backward").at("photograph"), photograph.name);
        const Reference expected(saved(), photograph.camera, photograph.image, 0.2);
        const glm::uvec2 pixel(found.at("pixel")[0], found.at("pixel")[1]);
        EXPECT_GT(found.at("backward").at("reached"), 5u);
        EXPECT_LT(worstError(found, expected.ofTile(pixel)), 0.02);
    }
}

/// The loss is the training's, and what the list has is drawn over the viewer's background.
TEST_F(ViewerInside, GradientsAreOfTheTrainingsLoss) {
    expectSuccess(follow(train("train_set ssim_lambda 0.8\n") + save() + seeInside({24, 20}, "report.json")));
    const Photograph photograph = photographOf(views, data, 0);
    const auto at = [&](double lambda) {
        return worstError(inside(), Reference(saved(), photograph.camera, photograph.image, lambda).ofTile({24, 20}));
    };
    EXPECT_LT(at(0.8), 0.02);
    EXPECT_GT(at(0.2), 0.1);
}

/// A splat's tiles, as all lists say.
std::map<uint32_t, std::vector<std::array<float, kWords>>> sumsByGaussian(const std::vector<json>& tiles) {
    std::map<uint32_t, Rows> sums;
    for (const json& tile : tiles) {
        const auto list = listOf(tile);
        const Rows rows = tile.at("backward").at("sums");
        for (size_t place = 0; place < list.size(); ++place)
            sums[list[place]].push_back(place < rows.size() ? rows[place] : Rows::value_type{});
    }
    return sums;
}

/// To the last bit where a splat is in no other tile, because then the update's sum is this tile's.
TEST_F(ViewerInside, TheReducedSumIsTheGradientThatTheUpdateUses) {
    std::string script = train("train_set accumulate tree-cas\ntrain_set init_count 400\ntrain_set steps 1\n");
    for (size_t i = 0; i < std::size(kPixels); ++i) script += seeInside(kPixels[i], fmt::format("{}.json", i));
    expectSuccess(follow(script));
    std::vector<json> tiles;
    for (size_t i = 0; i < std::size(kPixels); ++i) tiles.push_back(inside(fmt::format("{}.json", i)));
    const auto sums = sumsByGaussian(tiles);
    size_t alone = 0, shared = 0;
    for (const json& tile : tiles) {
        const auto list = listOf(tile);
        EXPECT_EQ(tile.at("backward").at("method"), "tree-cas");
        const Rows gradients = tile.at("backward").at("gradients"), own = tile.at("backward").at("sums");
        for (size_t place = 0; place < own.size(); ++place) {
            const Rows& all = sums.at(list[place]);
            all.size() == 1 ? ++alone : ++shared;
            for (size_t word = 0; word < kWords; ++word) {
                if (all.size() == 1) {
                    EXPECT_EQ(gradients[place][word], own[place][word]) << list[place];
                    continue;
                }
                double sum = 0, length = 1e-12;
                for (const auto& row : all) sum += static_cast<double>(row[word]), length += std::abs(static_cast<double>(row[word]));
                EXPECT_NEAR(static_cast<double>(gradients[place][word]), sum, 1e-5 * length) << list[place];
            }
        }
    }
    EXPECT_GT(alone, 10u);
    EXPECT_GT(shared, 10u);
}

TEST_F(ViewerInside, TheTreeEndsWithTheSumThatItsMethodAdds) {
    expectSuccess(follow(train() + seeInside({8, 8}, "report.json", "2")));
    const json backward = inside().at("backward");
    const json& tree = backward.at("tree");
    EXPECT_EQ(backward.at("method"), "subtile") << "the default";
    EXPECT_EQ(tree.at("place"), 2);
    ASSERT_EQ(tree.at("levels").size(), 9u);
    EXPECT_EQ(tree.at("levels")[0], tree.at("unclamped"));
    EXPECT_EQ(tree.at("levels")[8], backward.at("sums")[2]);
    for (size_t level = 0; level < 8; ++level) {
        const auto from = tree.at("levels")[level].get<std::vector<float>>(), to = tree.at("levels")[level + 1].get<std::vector<float>>();
        ASSERT_EQ(from.size(), 2 * to.size());
        const size_t half = to.size() / kWords;
        for (size_t i = 0; i < to.size(); ++i) {
            const size_t first = i / half * 2 * half + i % half;
            EXPECT_EQ(to[i], from[first] + from[first + half]);
        }
    }
    for (const json& method : backward.at("methods")) {
        if (method.at("name") == "tree-cas") {
            EXPECT_EQ(method.at("sums"), backward.at("sums"));
        }
    }
    const Rows ofMethod = backward.at("gradients"), ofTree = backward.at("gradients_tree");
    for (size_t place = 0; place < ofTree.size(); ++place)
        for (size_t word = 0; word < kWords; ++word)
            EXPECT_NEAR(ofMethod[place][word], ofTree[place][word], 1e-4 * std::abs(ofTree[place][word]) + 1e-7);
}

TEST_F(ViewerInside, TheClampIsTheTrainings) {
    expectSuccess(follow(train("train_set accumulate tree-cas\ntrain_set clamp_gradients true\n") + seeInside({8, 8}, "on.json") +
                         "train_set clamp_gradients false\nsee_inside\n" + writeReport("off.json")));
    EXPECT_TRUE(inside("on.json").at("backward").at("clamps").get<bool>());
    EXPECT_FALSE(inside("off.json").at("backward").at("clamps").get<bool>());
}

TEST_F(ViewerInside, ListsAreBroughtTogetherInTheOrderOfTheirDepths) {
    std::string script = train() + save();
    for (size_t i = 0; i < std::size(kPixels); ++i) script += seeInside(kPixels[i], fmt::format("{}.json", i));
    expectSuccess(follow(script));
    const Photograph photograph = photographOf(views, data, 0);
    const Reference expected(saved(), photograph.camera, photograph.image, 0.2);
    std::vector<size_t> rank(saved().count());
    const auto order = reference::depthOrder(expected.projected);
    for (size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    size_t entries = 0;
    for (size_t i = 0; i < std::size(kPixels); ++i) {
        const json list = inside(fmt::format("{}.json", i)).at("list");
        const auto sorted = list.at("sorted").get<std::vector<uint32_t>>();
        EXPECT_EQ(list.at("drawn_again"), list.at("sorted")) << "the frame that is explained is the picture";
        std::vector<uint32_t> emitted, places;
        for (const json& entry : list.at("emitted")) {
            places.push_back(entry[0]);
            emitted.push_back(entry[1]);
        }
        EXPECT_EQ(emitted, sorted);
        EXPECT_TRUE(std::ranges::is_sorted(places));
        EXPECT_TRUE(std::ranges::is_sorted(sorted, {}, [&](uint32_t gaussian) { return rank[gaussian]; }));
        EXPECT_EQ(list.at("first_instance"), entries) << "the tiles' lists follow each other";
        entries += sorted.size();
        EXPECT_GT(sorted.size(), 5u);
    }
    EXPECT_EQ(inside("0.json").at("list").at("instances"), entries);
}

/// Splats of the tile, by their keys.
struct KeyedSplats {
    std::vector<uint32_t> keys, splats;

    KeyedSplats(const json& pairs) : keys(pairs.at("keys")), splats(pairs.at("splats")) {}
    /// Where a stable sort by one digit puts each of them.
    std::vector<uint32_t> placesByDigit(uint32_t firstBit) const {
        std::vector<uint32_t> order(keys.size()), places(keys.size());
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::stable_sort(order, {}, [&](uint32_t i) { return keys[i] >> firstBit & 255u; });
        for (uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
        return places;
    }
};

void expectPass(const KeyedSplats& before, const json& pass, uint32_t firstBit) {
    std::vector<uint32_t> histogram(256), prefix(256);
    for (const uint32_t key : before.keys) ++histogram[key >> firstBit & 255u];
    std::exclusive_scan(histogram.begin(), histogram.end(), prefix.begin(), 0u);
    EXPECT_EQ(pass.at("first_bit"), firstBit);
    EXPECT_EQ(pass.at("histogram"), json(histogram));
    EXPECT_EQ(pass.at("prefix"), json(prefix));
    const auto places = pass.at("places").get<std::vector<uint32_t>>();
    EXPECT_EQ(places, before.placesByDigit(firstBit));
    const KeyedSplats after(pass);
    for (size_t key = 0; key < places.size(); ++key) {
        EXPECT_EQ(after.keys.at(places[key]), before.keys[key]);
        EXPECT_EQ(after.splats.at(places[key]), before.splats[key]);
    }
}

/// Each pass against the host's; and the key that a step of the panel shows: its digit, and its place in the other buffer.
TEST_F(ViewerInside, TheRadixSortCountsAndMovesTheTilesKeys) {
    writeSheet(at("sheet.ply"));
    const std::string look = "open " + at("sheet.ply").string() +
                             "\nkey Tab\norbit 30 20\nwait picture\nclick 50% 50%\nwait picture\nwait frames 2\nsee_inside\n";
    expectSuccess(follow(look + writeReport("start.json")));
    const json radix = inside("start.json").at("radix"), &passes = radix.at("passes");
    const size_t keys = radix.at("keys").size(), moments = keys + 1;
    ASSERT_GT(keys, 20u);
    ASSERT_EQ(passes.size(), 3u);
    std::vector<KeyedSplats> states{radix};
    for (const json& pass : passes) {
        expectPass(states.back(), pass, 8 * static_cast<uint32_t>(states.size() - 1));
        states.emplace_back(pass);
    }
    EXPECT_EQ(passes[2].at("splats"), inside("start.json").at("list").at("sorted"));

    std::string script = look;
    const size_t steps[] = {0, 1, 2, keys, moments, moments + 1, 2 * moments - 1, 2 * moments + keys / 2, 3 * moments - 1, 3 * moments};
    for (const size_t step : steps) script += fmt::format("show_inside radix {}\n", step) + writeReport(fmt::format("{}.json", step));
    expectSuccess(follow(script));
    for (const size_t step : steps) {
        SCOPED_TRACE(step);
        const json current = inside(fmt::format("{}.json", step)).at("radix").at("current");
        const size_t pass = step / moments, moved = step % moments;
        ASSERT_EQ(current.is_null(), moved == 0 || pass == 3) << "a pass begins with its counts";
        if (current.is_null()) continue;
        EXPECT_EQ(current.at("pass"), pass);
        EXPECT_EQ(current.at("key"), moved - 1);
        EXPECT_EQ(current.at("digit"), states[pass].keys[moved - 1] >> 8 * pass & 255u);
        EXPECT_EQ(states[pass + 1].splats.at(current.at("place")), states[pass].splats[moved - 1]);
    }
}

TEST_F(ViewerInside, CountsWhatEachMethodAdds) {
    expectSuccess(follow(train() + seeInside({8, 8}, "report.json")));
    const json backward = inside().at("backward");
    const auto active = backward.at("active").get<std::vector<uint64_t>>();
    const uint64_t each = kWords * std::accumulate(active.begin(), active.end(), uint64_t{0});
    std::map<std::string, uint64_t> additions;
    for (const json& method : backward.at("methods"))
        if (!method.at("additions").is_null()) additions[method.at("name")] = method.at("additions");
    EXPECT_EQ(additions.at("cas"), each);
    EXPECT_LE(additions.at("tree-cas"), kWords * active.size());
    EXPECT_LT(additions.at("subtile"), each);
    ASSERT_EQ(backward.at("retries").size(), 2u);
    EXPECT_EQ(backward.at("retries")[0].at("by_splat").size(), listOf(inside()).size());
    EXPECT_GE(backward.at("retries")[0].at("additions"), additions.at("cas"));
    uint64_t lanes = 0;
    const auto pairs = backward.at("lanes").get<std::vector<uint64_t>>();
    for (size_t count = 0; count < pairs.size(); ++count) lanes += count * pairs[count];
    if (!pairs.empty()) {
        EXPECT_EQ(kWords * lanes, each);
    }
}

/// The world may have changed since: what is shown is of the picture that is shown.
TEST_F(ViewerInside, FollowsTheModelThatIsTrained) {
    expectSuccess(follow("train_set init random\ntrain_set init_count 60\ntrain_set steps 40\nopen " + data.string() +
                         "\nwait phase ready\nkey Tab\n" + lookThrough(0) + seeInside({8, 8}, "start.json") +
                         "key T\nwait phase finished\nwait seconds 1\nwait picture\nsee_inside\n" + save() + writeReport("end.json")));
    EXPECT_NE(inside("start.json").at("backward").at("sums"), inside("end.json").at("backward").at("sums"));
    const Photograph photograph = photographOf(views, data, 0);
    EXPECT_LT(worstError(inside("end.json"), Reference(saved(), photograph.camera, photograph.image, 0.2).ofTile({8, 8})), 0.02);
}

/// The panel rests between two readings, but shows the last picture in the end.
TEST_F(ViewerInside, ThePanelCatchesUpWithATraining) {
    std::ofstream(at("script.txt"))
        << "train_set init random\ntrain_set init_count 60\ntrain_set steps 40\nopen " << data.string() << "\nwait phase ready\n"
        << lookThrough(0) << "panel \"See inside\" 1\nshow_inside gradient\nwait frames 3\nclick 50% 50%\nwait picture\nwait frames 2\n"
        << writeReport("start.json") << "key T\nwait phase finished\nwait picture\nwait seconds 10\n"
        << writeReport("panel.json") << "see_inside\n" + writeReport("asked.json");
    expectSuccess(splatwright({"view", "--headless", "--script", at("script.txt"), "--size", "400x240"}));
    const auto sums = [&](const std::string& report) { return inside(report).at("backward").at("sums"); };
    EXPECT_TRUE(sums("start.json") != sums("asked.json"));
    EXPECT_TRUE(sums("panel.json") == sums("asked.json"));
}

TEST_F(ViewerInside, SaysWhatIsMissingForGradients) {
    const auto lacks = [&](const std::string& report) { return inside(report).at("backward_lacks").get<std::string>(); };
    expectSuccess(follow(openSplats() + "key Tab\nwait picture\n" + writeReport("unasked.json") + seeInside({16, 12}, "file.json")));
    expectSuccess(follow(train() + "render_mode depth\nwait picture\n" + seeInside({8, 8}, "depth.json") +
                         "render_mode error\nwait picture\n" + seeInside({8, 8}, "error.json") + "orbit 5 0\nwait picture\n" +
                         seeInside({8, 8}, "free.json")));
    EXPECT_TRUE(inside("unasked.json").is_null()) << "nobody has asked";
    EXPECT_TRUE(inside("file.json").at("backward").is_null());
    EXPECT_NE(lacks("file.json").find("dataset"), std::string::npos) << lacks("file.json");
    EXPECT_FALSE(inside("file.json").at("list").is_null()) << "lists need no photograph";
    EXPECT_TRUE(inside("depth.json").at("backward").is_null());
    EXPECT_NE(lacks("depth.json").find("Colour"), std::string::npos) << lacks("depth.json");
    EXPECT_FALSE(inside("error.json").at("backward").is_null()) << "errors are those of colours";
    EXPECT_NE(lacks("free.json").find("dataset"), std::string::npos) << "the camera is no view's any more";
}

/// A splat file beside a dataset: its gradients are those of the photograph that is looked through.
TEST_F(ViewerInside, OfAFileWithADatasetOpen) {
    expectSuccess(splatwright({"train", data, "-o", at("run"), "--steps", "20", "--init", "random", "--set", "init_count=60", "-q"}));
    const fs::path file = at("run/splats.ply");
    expectSuccess(follow("open " + data.string() + "\nwait phase ready\nvisible 0\nopen " + file.string() + "\nkey Tab\n" + lookThrough(2) +
                         seeInside({24, 8}, "report.json")));
    ASSERT_FALSE(inside().at("backward").is_null()) << inside().at("backward_lacks");
    const Photograph photograph = photographOf(views, data, 2);
    const Reference expected(readPly(file), photograph.camera, photograph.image, 0.2);
    json found = inside();
    const uint32_t first = inside().at("draw").at("first");
    for (json& gaussian : found["list"]["sorted"]) gaussian = gaussian.get<uint32_t>() - first;
    EXPECT_LT(worstError(found, expected.ofTile({24, 8})), 0.02);
}

/// The sum of the weights up to and including each splat, by its opacity; those of little opacity have none.
std::vector<double> sumsOf(const Gaussians& gaussians) {
    std::vector<double> sums;
    double sum = 0;
    for (const float logit : gaussians.logitOpacities) {
        const double opacity = 1 / (1 + std::exp(-static_cast<double>(logit)));
        if (opacity > 0.02) sum += opacity * 0x1p20;
        sums.push_back(sum);
    }
    return sums;
}

/// The distribution that the strategy keeps: of the splats that there were before the last growth, and as many numbers as it added.
TEST_F(ViewerInside, ADrawOfATrainingIsTheLastOneOfItsGrowth) {
    expectSuccess(follow(train("train_set strategy mcmc\ntrain_set densify_from 4\ntrain_set densify_interval 5\ntrain_set densify_until "
                               "18\ntrain_set grow_factor 1.25\ntrain_set max_splats 1000\n") +
                         seeInside({16, 12}, "report.json")));
    const json draw = inside().at("draw"), training = readReport().at("training");
    ASSERT_FALSE(draw.is_null()) << inside().at("draw_lacks");
    EXPECT_EQ(draw.at("step"), 15);
    EXPECT_EQ(draw.at("splats").get<size_t>() + draw.at("targets").size(), training.at("splats"));
    EXPECT_GT(draw.at("targets").size(), 10u);
    for (const json& step : draw.at("search").at("steps"))
        EXPECT_EQ(step.at("exceeds").get<bool>(), step.at("sum") > draw.at("search").at("target"));
}

/// The second of two models, so that its splats are not the first of the world.
TEST_F(ViewerInside, RandomNumbersFindTheSplatWhoseStepTheyHit) {
    Gaussians sheet = readPly(splats);
    for (size_t i = 0; i < sheet.count(); ++i) sheet.logitOpacities[i] = 1.0f + 0.3f * static_cast<float>(i % 7);
    writePly(at("opaque.ply"), sheet);
    expectSuccess(follow(openSplats() + "visible 0\nopen " + at("opaque.ply").string() + "\nkey Tab\nwait picture\n" +
                         seeInside({16, 12}, "report.json")));
    const json draw = inside().at("draw");
    ASSERT_FALSE(draw.is_null()) << inside().at("draw_lacks");
    EXPECT_EQ(draw.at("splats"), sheet.count());
    EXPECT_GE(draw.at("first"), sheet.count()) << "behind the first model's";
    const auto sums = sumsOf(sheet);
    EXPECT_NEAR(draw.at("total").get<double>(), sums.back(), static_cast<double>(sums.size()));
    const auto targets = draw.at("targets").get<std::vector<double>>();
    const auto sources = draw.at("sources").get<std::vector<size_t>>();
    ASSERT_FALSE(targets.empty());
    for (size_t i = 0; i < targets.size(); ++i) {
        const double margin = static_cast<double>(sums.size());
        EXPECT_LT(targets[i], sums[sources[i]] + margin);
        EXPECT_GE(targets[i], (sources[i] > 0 ? sums[sources[i] - 1] : 0) - margin);
    }
    const json& search = draw.at("search");
    uint32_t low = 0, high = static_cast<uint32_t>(sheet.count()) - 1;
    for (const json& step : search.at("steps")) {
        EXPECT_EQ(step.at("low"), low);
        EXPECT_EQ(step.at("high"), high);
        EXPECT_EQ(step.at("exceeds").get<bool>(), step.at("sum") > search.at("target"));
        step.at("exceeds").get<bool>() ? high = step.at("middle") : low = step.at("middle").get<uint32_t>() + 1;
    }
    EXPECT_EQ(low, search.at("source"));
    EXPECT_EQ(high, low);
}

}  // namespace
}  // namespace splat
