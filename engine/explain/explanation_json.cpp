#include <splatwright/explain/explanation_json.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace splat::explain {

namespace {

using json = nlohmann::ordered_json;

constexpr size_t kCurvePoints = 400;  // of the cumulative distribution: more than a page's figure has pixels
constexpr uint32_t kNeighbours = 6;   // of the drawn Gaussian on each side whose intervals are listed

/// The number with as few digits as tell it from its neighbours.
json number(float value) {
    if (!std::isfinite(value)) return json();
    return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

template <class Numbers>
json numbers(const Numbers& values) {
    json list = json::array();
    for (const float value : values) list.push_back(number(value));
    return list;
}

json vectorOf(const glm::uvec2& v) { return {v.x, v.y}; }
json vectorOf(const glm::vec2& v) { return {number(v.x), number(v.y)}; }
json vectorOf(const glm::vec3& v) { return {number(v.x), number(v.y), number(v.z)}; }

json toJson(const ListedSplat& listed) {
    const shared::Projected& s = listed.splat;
    return {{"gaussian", listed.gaussian},  {"key", listed.key},
            {"mean", vectorOf(s.mean)},     {"conic", vectorOf(s.conic)},
            {"opacity", number(s.opacity)}, {"colour", vectorOf(s.colour)},
            {"depth", number(s.depth)},     {"extent", vectorOf(s.extent)}};
}

json toJson(const shared::BlendStep& step) {
    constexpr const char* kOutcomes[] = {"misses sub-tile", "below 1/255", "blended", "ends pixel", "hidden"};
    return {{"outcome", kOutcomes[step.outcome]},
            {"alpha", number(step.alpha)},
            {"transmittance", number(step.transmittance)},
            {"weight", number(step.weight)},
            {"colour", vectorOf(step.colour)}};
}

json toJson(const PixelBlend& blend) {
    json steps = json::array();
    for (const shared::BlendStep& step : blend.steps) steps.push_back(toJson(step));
    return {{"steps", steps},
            {"colour", vectorOf(blend.colour)},
            {"transmittance", number(blend.transmittance)},
            {"drawn", vectorOf(blend.drawn)},
            {"equal_bits", blend.colour == blend.drawn && blend.transmittance == blend.drawnTransmittance}};
}

/// Places in the tile's list by Gaussian.
std::map<uint32_t, uint32_t> placesOf(const std::vector<ListedSplat>& list) {
    std::map<uint32_t, uint32_t> places;
    for (uint32_t i = 0; i < list.size(); ++i) places[list[i].gaussian] = i;
    return places;
}

json placesIn(const SortedPairs& pairs, const std::map<uint32_t, uint32_t>& places) {
    json list = json::array();
    for (const uint32_t gaussian : pairs.payload) list.push_back(places.at(gaussian));
    return list;
}

json toJson(const RadixSteps& radix, const std::map<uint32_t, uint32_t>& places) {
    json passes = json::array();
    for (const RadixPass& pass : radix.passes) {
        json digits = json::array();  // [digit, keys, keys with a lesser digit]
        for (uint32_t digit = 0; digit < pass.histogram.size(); ++digit)
            if (pass.histogram[digit] > 0) digits.push_back({digit, pass.histogram[digit], pass.prefix[digit]});
        passes.push_back({{"first_bit", pass.firstBit}, {"digits", digits}, {"after", placesIn(pass.after, places)}});
    }
    return {{"variant", radix.variant}, {"passes", passes}};
}

/// Keys as ranks among the different ones.
json toJson(const BitonicSteps& bitonic) {
    std::vector<uint32_t> sorted = bitonic.keys.back();
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    json steps = json::array(), ranks = json::array();
    for (const primitives::BitonicStep& step : bitonic.steps) steps.push_back({step.block, step.distance, step.mask});
    for (const std::vector<uint32_t>& keys : bitonic.keys) {
        json row = json::array();
        for (const uint32_t key : keys) row.push_back(std::ranges::lower_bound(sorted, key) - sorted.begin());
        ranks.push_back(std::move(row));
    }
    return {{"steps", steps}, {"ranks", ranks}};
}

/// A hexadecimal digit per four pixels of the tile: where a splat is blended, in the order of threads, first one highest.
std::string activePixels(std::span<const float> weights) {
    std::string digits;
    for (size_t first = 0; first < weights.size(); first += 4) {
        uint32_t digit = 0;
        for (size_t i = 0; i < 4; ++i) digit = digit << 1u | (weights[first + i] > 0 ? 1u : 0u);
        digits += "0123456789abcdef"[digit];
    }
    return digits;
}

json toJson(const TreeTrace& tree) {
    json levels = json::array();
    for (const std::vector<float>& level : tree.levels) levels.push_back(numbers(level));
    return {{"place", tree.place}, {"levels", levels}};
}

json toJson(const BackwardExplanation& backward, size_t reached) {
    json active = json::array(), trees = json::array(), methods = json::array(), retries = json::array(), gradients = json::array();
    for (size_t place = 0; place < reached; ++place)
        active.push_back(activePixels(std::span(backward.weights).subspan(place * shared::kTilePixels, shared::kTilePixels)));
    for (const TreeTrace& tree : backward.trees) trees.push_back(toJson(tree));
    for (const glm::vec3& gradient : backward.colourGradients) gradients.push_back(vectorOf(gradient));
    for (const MethodTrace& method : backward.methods) {
        json own{{"name", method.name}, {"help", method.help}, {"sums", json::array()}};
        if (method.additions) own["additions"] = *method.additions;
        for (const TreeTrace& tree : backward.trees)
            own["sums"].push_back(numbers(std::span(method.gradients).subspan(size_t{tree.place} * kTracedWords, kTracedWords)));
        methods.push_back(std::move(own));
    }
    for (const RetryTrace& trace : backward.retries)
        retries.push_back(
            {{"name", trace.method}, {"additions", trace.additions}, {"retries", trace.retries}, {"by_splat", trace.bySplat}});
    return {{"words", {"mean x", "mean y", "conic xx", "conic xy", "conic yy", "opacity", "red", "green", "blue"}},
            {"colour_gradients", gradients},
            {"active", active},
            {"trees", trees},
            {"methods", methods},
            {"retries", retries},
            {"subgroup", backward.lanes.pairs.empty() ? 0 : backward.lanes.pairs.size() - 1},
            {"lanes", backward.lanes.pairs}};
}

/// The draw whose search is shown: the first that found a splat of the tile, else the middle one.
size_t shownDraw(const WeightedDraw& draw, const std::map<uint32_t, uint32_t>& places) {
    const auto found = std::ranges::find_if(draw.sources, [&](uint32_t source) { return places.contains(source); });
    return found != draw.sources.end() ? static_cast<size_t>(found - draw.sources.begin()) : draw.sources.size() / 2;
}

json curveOf(const WeightedDraw& draw) {
    json curve = json::array();
    const size_t step = std::max<size_t>(1, draw.sums.size() / kCurvePoints);
    for (size_t i = 0; i < draw.sums.size(); i += step) curve.push_back({i, draw.sums[i]});
    curve.push_back({draw.sums.size() - 1, draw.total()});
    return curve;
}

json searchJson(const WeightedDraw& draw, size_t index) {
    json steps = json::array(), neighbours = json::array();
    const uint32_t source = draw.sources[index];
    for (const SearchStep& step : searchOf(draw, draw.targets[index]))
        steps.push_back(
            {{"low", step.low}, {"high", step.high}, {"middle", step.middle}, {"sum", draw.sums[step.middle]}, {"exceeds", step.exceeds}});
    const auto last = static_cast<uint32_t>(draw.sums.size()) - 1;
    for (uint32_t i = source - std::min(source, kNeighbours); i <= std::min(last, source + kNeighbours); ++i)
        neighbours.push_back({{"gaussian", i}, {"weight", draw.weights[i]}, {"sum", draw.sums[i]}, {"drawn", draw.multiplicities[i]}});
    return {{"draw", index}, {"target", draw.targets[index]}, {"source", source}, {"steps", steps}, {"neighbours", neighbours}};
}

json toJson(const WeightedDraw& draw, const std::vector<ListedSplat>& list) {
    json found{{"gaussians", draw.weights.size()}, {"dead", draw.dead}, {"draws", draw.sources.size()}, {"total", draw.total()}};
    json tile = json::array();
    for (const ListedSplat& listed : list) tile.push_back({draw.weights[listed.gaussian], draw.multiplicities[listed.gaussian]});
    found["tile"] = std::move(tile);
    if (draw.sources.empty()) return found;
    found["curve"] = curveOf(draw);
    found["search"] = searchJson(draw, shownDraw(draw, placesOf(list)));
    return found;
}

/// The tile's pixels in the order of threads; null outside the picture.
json coloursOfTile(const ImageF& picture, const TileList& tile) {
    json colours = json::array();
    for (uint32_t thread = 0; thread < shared::kTilePixels; ++thread) {
        const glm::uvec2 pixel = tile.tile() * kTileSize + glm::uvec2(thread % kTileSize, thread / kTileSize);
        const size_t first = 3 * (size_t{pixel.y} * tile.size.x + pixel.x);
        const bool inside = pixel.x < tile.size.x && pixel.y < tile.size.y;
        colours.push_back(inside ? numbers(std::span(picture.pixels).subspan(first, 3)) : json());
    }
    return colours;
}

}  // namespace

nlohmann::ordered_json toJson(const Explanation& e) {
    const TileList& tile = e.look.tile;
    const auto places = placesOf(tile.splats);
    json splats = json::array(), emitted = json::array();
    for (const ListedSplat& listed : tile.splats) splats.push_back(toJson(listed));
    for (const shared::EmittedInstance& instance : e.emitted) emitted.push_back({instance.place, places.at(instance.gaussian)});
    return {{"view", e.view},
            {"device", e.device},
            {"size", vectorOf(tile.size)},
            {"pixel", vectorOf(tile.pixel)},
            {"tile", vectorOf(tile.tile())},
            {"tile_size", kTileSize},
            {"background", vectorOf(e.background)},
            {"instances", e.instances},
            {"first_instance", tile.begin},
            {"reached", tile.reached},
            {"splats", splats},
            {"emitted", emitted},
            {"tile_colours", coloursOfTile(e.picture, tile)},
            {"blend", toJson(e.look.blend)},
            {"unsorted", placesIn(e.look.unsorted, places)},
            {"radix", toJson(e.look.radix, places)},
            {"bitonic", toJson(e.look.bitonic)},
            {"backward", toJson(e.backward, tile.reached)},
            {"draw", toJson(e.draw, tile.splats)}};
}

}  // namespace splat::explain
