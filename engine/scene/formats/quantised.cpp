#include <splatwright/scene/formats/quantised.h>

#include <algorithm>
#include <cmath>
#include <span>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/finite.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

/// Splats [first, end), of which the message counts the first one as `before`.
struct Range {
    size_t first, end, before;
};

/// The numbers of vectors, or of numbers.
template <class Value>
std::span<const float> numbersOf(std::span<const Value> values) {
    return {reinterpret_cast<const float*>(values.data()), values.size_bytes() / sizeof(float)};
}

/// `each`: values per splat of the attribute.
template <class Value>
void requireFinite(const std::filesystem::path& path, const char* attribute, const std::vector<Value>& all, const Range& range,
                   size_t each = 1) {
    constexpr size_t kSlice = 65536;  // values per thread and step
    const std::span values = std::span(all).subspan(range.first * each, (range.end - range.first) * each);
    std::vector<size_t> bad((values.size() + kSlice - 1) / kSlice, values.size());
    parallelFor(bad.size(), [&](size_t slice) {
        const size_t start = slice * kSlice;
        const auto own = values.subspan(start, std::min(kSlice, values.size() - start));
        if (allFinite(numbersOf(own))) return;
        const auto found = std::ranges::find_if(own, [](const Value& value) { return !allFinite(numbersOf(std::span(&value, 1))); });
        bad[slice] = start + static_cast<size_t>(found - own.begin());
    });
    const auto first = std::ranges::min_element(bad);
    if (first == bad.end() || *first == values.size()) return;
    throw InputError("{}: {} of splat {} is infinite or NaN, expected a finite number", path.string(), attribute,
                     range.before + *first / each);
}

}  // namespace

float logitOfByte(uint8_t opacity) {
    const float part = std::clamp(static_cast<float>(opacity), 0.25f, 254.75f);
    return std::log(part / (255.0f - part));
}

std::array<float, 256> logitsOfBytes() {
    std::array<float, 256> logits{};
    for (size_t byte = 0; byte < logits.size(); ++byte) logits[byte] = logitOfByte(static_cast<uint8_t>(byte));
    return logits;
}

glm::vec4 completed(glm::vec4 others, int largest) {
    const float rest = 1.0f - glm::dot(others, others);
    others[largest] = std::sqrt(std::max(0.0f, rest));
    return rest >= 0 ? others : glm::normalize(others);  // in a damaged file the others may be longer than one
}

glm::vec4 unitRotation(glm::vec4 rotation) {
    const glm::dvec4 q(rotation);  // whose squares are in the range of doubles
    return q == glm::dvec4(0) ? glm::vec4(1, 0, 0, 0) : glm::vec4(glm::normalize(q));
}

void requireFinite(const std::filesystem::path& path, const Gaussians& gaussians) {
    requireFinite(path, gaussians, 0, gaussians.count(), 0);
}

void requireFinite(const std::filesystem::path& path, const Gaussians& gaussians, size_t first, size_t end, size_t before) {
    const Range range{first, end, before};
    requireFinite(path, "position", gaussians.means, range);
    requireFinite(path, "rotation", gaussians.rotations, range);
    requireFinite(path, "scale", gaussians.logScales, range);
    requireFinite(path, "opacity", gaussians.logitOpacities, range);
    requireFinite(path, "colour", gaussians.sh, range, shCoefficients(gaussians.shDegree));
}

void requireSplats(const std::filesystem::path& path, size_t count) {
    if (count == 0) throw InputError("{}: found no splats to write, expected at least one in this format", path.string());
}

void requireWritable(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    requireSplats(path, gaussians.count());
    requireFinite(path, gaussians);
}

}  // namespace splat
