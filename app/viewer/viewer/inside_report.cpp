#include "viewer/viewer/inside_report.h"

#include <algorithm>

#include "viewer/viewer/radix_moment.h"

namespace splat::app {

namespace {

using Json = nlohmann::ordered_json;

Json listOf(const explain::PixelLook& look, const explain::TileFrame& frame) {
    Json emitted = Json::array(), drawnAgain = Json::array();
    for (const shared::EmittedInstance& entry : frame.emitted()) emitted.push_back({entry.place, entry.gaussian});
    for (const explain::ListedSplat& splat : frame.list()) drawnAgain.push_back(splat.gaussian);
    Json list = Json::array();
    for (const explain::ListedSplat& splat : look.tile.splats) list.push_back(splat.gaussian);
    return {{"instances", frame.instances()},
            {"first_instance", frame.tile().begin},
            {"emitted", emitted},
            {"sorted", list},
            {"drawn_again", drawnAgain}};
}

Json radixOf(const explain::PixelLook& look, size_t step) {
    Json passes = Json::array();
    for (const explain::RadixPass& pass : look.radix.passes)
        passes.push_back({{"first_bit", pass.firstBit},
                          {"histogram", pass.histogram},
                          {"prefix", pass.prefix},
                          {"places", pass.places},
                          {"keys", pass.after.keys},
                          {"splats", pass.after.payload}});
    Json radix{{"keys", look.unsorted.keys}, {"splats", look.unsorted.payload}, {"passes", passes}, {"current", nullptr}};
    if (step >= radixMoments(look)) return radix;
    const RadixMoment moment = radixMoment(look, step);
    if (const auto key = moment.current())
        radix["current"] = {{"pass", moment.passIndex}, {"key", key->index}, {"digit", key->digit}, {"place", key->place}};
    return radix;
}

Json treeOf(const explain::TreeTrace& tree) { return {{"place", tree.place}, {"unclamped", tree.unclamped}, {"levels", tree.levels}}; }

/// Rows of the tile's list, of those words that are traced.
Json rowsOf(const std::vector<float>& words, uint32_t rows, uint32_t pitch) {
    Json all = Json::array();
    for (uint32_t place = 0; place < rows; ++place) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(size_t{place} * pitch);
        all.push_back(std::vector<float>(first, first + explain::kTracedWords));
    }
    return all;
}

Json backwardOf(const InsideBackward& backward) {
    const uint32_t reached = backward.reached();
    Json methods = Json::array(), retries = Json::array(), active = Json::array();
    for (const explain::MethodTrace& method : backward.methods()) {
        methods.push_back({{"name", method.name}, {"sums", rowsOf(method.gradients, reached, explain::kTracedWords)}});
        methods.back()["additions"] = method.additions ? Json(*method.additions) : Json();
    }
    for (const explain::RetryTrace& trace : backward.retries())
        retries.push_back(
            {{"name", trace.method}, {"additions", trace.additions}, {"retries", trace.retries}, {"by_splat", trace.bySplat}});
    const auto& weights = backward.tile().weights();
    for (uint32_t place = 0; place < reached; ++place) {
        const auto first = weights.begin() + static_cast<std::ptrdiff_t>(size_t{place} * shared::kTilePixels);
        active.push_back(std::count_if(first, first + shared::kTilePixels, [](float weight) { return weight > 0; }));
    }
    Json colours = Json::array();
    for (const glm::vec3& gradient : backward.tile().colourGradients()) colours.push_back({gradient.x, gradient.y, gradient.z});
    return {{"photograph", backward.view()},
            {"reached", reached},
            {"clamps", backward.tile().clamps()},
            {"colour_gradients", colours},
            {"sums", rowsOf(backward.tile().sums(), reached, shared::kGradientWords)},
            {"gradients_tree", rowsOf(backward.treeGradients(), reached, explain::kTracedWords)},
            {"method", nameOf(backward.method())},
            {"gradients", rowsOf(backward.gradients(), reached, explain::kTracedWords)},
            {"tree", backward.tree() ? treeOf(*backward.tree()) : Json()},
            {"methods", methods},
            {"retries", retries},
            {"active", active},
            {"lanes", backward.lanes() ? backward.lanes()->pairs : std::vector<uint64_t>()}};
}

Json drawOf(const Inside& inside, const InsideDraw& drawn) {
    Json found{{"model", drawn.model},         {"first", drawn.first},        {"splats", drawn.draw.weights.size()},
               {"dead", drawn.draw.dead},      {"total", drawn.draw.total()}, {"targets", drawn.draw.targets},
               {"sources", drawn.draw.sources}};
    found["step"] = drawn.step ? Json(*drawn.step) : Json();
    if (drawn.numbers() == 0) return found;
    const uint32_t number = inside.numberOf(drawn);
    Json steps = Json::array();
    for (const explain::SearchStep& step : explain::searchOf(drawn.draw, drawn.draw.targets[number]))
        steps.push_back({{"low", step.low},
                         {"high", step.high},
                         {"middle", step.middle},
                         {"sum", drawn.draw.sums[step.middle]},
                         {"exceeds", step.exceeds}});
    found["search"] = {
        {"number", number}, {"target", drawn.draw.targets[number]}, {"source", drawn.draw.sources[number]}, {"steps", steps}};
    return found;
}

Json blendedOf(const explain::PixelLook& look) {
    Json steps = Json::array();
    for (size_t i = 0; i < look.blend.steps.size(); ++i) {
        const shared::BlendStep& step = look.blend.steps[i];
        if (step.outcome == shared::kIsBlended)
            steps.push_back({{"gaussian", look.tile.splats[i].gaussian}, {"alpha", step.alpha}, {"contribution", step.weight}});
    }
    return steps;
}

}  // namespace

Json insideJson(const Inside& inside) {
    if (!inside.look()) return nullptr;
    const explain::PixelLook& look = *inside.look();
    Json json{{"listed", look.tile.splats.size()},
              {"pixel", {look.tile.pixel.x, look.tile.pixel.y}},
              {"blended", blendedOf(look)},
              {"transmittance", look.blend.transmittance}};
    json["radix"] = radixOf(look, static_cast<size_t>(inside.stepper(Inside::Shown::radix).step));
    json["list"] = inside.frame().get() ? listOf(look, *inside.frame().get()) : Json();
    json["backward"] = inside.backward().get() ? backwardOf(*inside.backward().get()) : Json();
    json["backward_lacks"] = inside.backward().lacks;
    json["draw"] = inside.draw() ? drawOf(inside, *inside.draw()) : Json();
    json["draw_lacks"] = inside.lacksDraw();
    return json;
}

}  // namespace splat::app
