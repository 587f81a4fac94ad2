#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/median.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/clusters/codebook.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/sog/sog.h>
#include <splatwright/scene/formats/sog/splat_area.h>
#include <splatwright/scene/gaussians/morton.h>

namespace splat {
namespace {

constexpr int kMostSide = 16383;            // pixels of a WebP
constexpr float kLargestLogarithm = 88.7f;  // above it, exp() is infinite
constexpr size_t kSlice = 4096;             // splats per thread and step

/// Of a coordinate, so that places far away have larger steps.
/// By doubles, which C libraries round differently too, but too rarely to change the float.
float logarithmOf(float coordinate) {
    const double logarithm = std::log1p(std::abs(double{coordinate}));
    return std::copysign(std::min(static_cast<float>(logarithm), kLargestLogarithm), coordinate);
}

std::vector<uint32_t> asTheyAre(const Gaussians& gaussians) {
    std::vector<uint32_t> order(gaussians.count());
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

class Encoder {
public:
    Encoder(const std::filesystem::path& path, const Gaussians& gaussians, SogOrder order, VectorClusters palette)
        : g_(gaussians),
          palette_(std::move(palette)),
          each_(shCoefficients(g_.shDegree)),
          order_(order == SogOrder::morton ? mortonOrder(g_.means) : asTheyAre(g_)) {
        const double count = static_cast<double>(g_.count());
        width_ = static_cast<int>(std::ceil(std::sqrt(count) / 4)) * 4;
        height_ = static_cast<int>(std::ceil(count / width_ / 4)) * 4;
        if (std::max(width_, height_) > kMostSide) {
            throw InputError("{}: found {} splats to write, expected at most {} (images of {}x{})", path.string(), g_.count(),
                             size_t{kMostSide} * kMostSide, kMostSide, kMostSide);
        }
    }

    std::vector<ZipEntry> files() {
        const std::array codebooks{&Encoder::findScales, &Encoder::findColours, &Encoder::findCoefficients};
        parallelFor(each_ > 1 ? 3 : 2, [&](size_t codebook) { (this->*codebooks[codebook])(); });
        findPositions();
        const std::vector<Picture> pictures = this->pictures();
        std::vector<ZipEntry> files(pictures.size());
        parallelFor(files.size(), [&](size_t p) {
            files[p] = {pictures[p].name, encodeLosslessWebp(pictures[p].image(), pictures[p].effort)};
        });
        const std::string text = meta();
        const auto bytes = std::as_bytes(std::span(text));
        files.push_back({kSogMeta, {bytes.begin(), bytes.end()}});
        return files;
    }

private:
    using Pixel = std::array<uint8_t, 4>;

    struct Picture {
        const char* name;
        std::function<Image8()> image;
        WebpEffort effort = WebpEffort::quick;
    };

    std::vector<Picture> pictures() {
        const auto perSplat = [this](auto pixel) {
            return [this, pixel] { return imageOf(width_, height_, g_.count(), [&](size_t i) { return pixel(order_[i]); }); };
        };
        // Those that take longest come first. To try harder saves 5 % where neighbours are alike, and nothing where they are noise.
        std::vector<Picture> pictures{{"means_u.webp", perSplat([this](size_t i) { return position(i, 8); }), WebpEffort::thorough},
                                      {"scales.webp", perSplat([this](size_t i) { return scale(i); })},
                                      {"quats.webp", perSplat([this](size_t i) { return rotation(i); })},
                                      {"means_l.webp", perSplat([this](size_t i) { return position(i, 0); })},
                                      {"sh0.webp", perSplat([this](size_t i) { return colour(i); }), WebpEffort::thorough}};
        if (each_ == 1) return pictures;
        pictures.push_back({"shN_labels.webp", perSplat([this](size_t i) {
                                const uint32_t label = palette_.labels[i];
                                return Pixel{static_cast<uint8_t>(label), static_cast<uint8_t>(label >> 8U), 0, 255};
                            })});
        pictures.push_back({"shN_centroids.webp", [this] { return paletteImage(); }});
        return pictures;
    }

    template <class Value>
    static Image8 imageOf(int width, int height, size_t count, Value pixel) {
        Image8 image(width, height, 4);
        for (size_t i = 0; i < count; ++i) std::ranges::copy(pixel(i), &image.pixels[4 * i]);
        return image;
    }

    static Pixel bytesOf(const ByteValues& codebook, glm::vec3 values, uint8_t alpha) {
        return {nearestByte(codebook, values.x), nearestByte(codebook, values.y), nearestByte(codebook, values.z), alpha};
    }

    /// A splat counts by its area and opacity: rounding shows in as many pixels as much.
    void findScales() {
        std::vector<float> areas(g_.count());
        std::ranges::transform(g_.logScales, areas.begin(), logArea);
        const float median = medianOf(areas);
        std::vector<WeightedValue> values;
        values.reserve(3 * g_.count());
        for (size_t i = 0; i < g_.count(); ++i) {
            const float weight = std::clamp(std::exp(areas[i] - median) * opacityOfLogit(g_.logitOpacities[i]), 1e-6f, 1e6f);
            for (int axis = 0; axis < 3; ++axis) values.push_back({g_.logScales[i][axis], weight});
        }
        scales_ = codebookOf(std::move(values));
    }

    void findColours() {
        std::vector<float> values;
        values.reserve(3 * g_.count());
        for (size_t i = 0; i < g_.sh.size(); i += each_) values.insert(values.end(), {g_.sh[i].x, g_.sh[i].y, g_.sh[i].z});
        colours_ = evenCodebookOf(values);
    }

    void findCoefficients() { coefficients_ = evenCodebookOf(palette_.centroids); }

    void findPositions() {
        std::vector<glm::vec3> logarithms(g_.count());
        parallelEach(g_.count(), kSlice, [&](size_t i) {
            const glm::vec3 mean = g_.means[i];
            logarithms[i] = {logarithmOf(mean.x), logarithmOf(mean.y), logarithmOf(mean.z)};
        });
        low_ = high_ = logarithms[0];
        for (const glm::vec3& v : logarithms) low_ = glm::min(low_, v), high_ = glm::max(high_, v);
        const glm::vec3 range = glm::max(high_ - low_, std::numeric_limits<float>::min());
        positions_.resize(g_.count());
        parallelEach(g_.count(), kSlice, [&](size_t i) {
            const glm::vec3 value = (logarithms[i] - low_) / range * 65535.0f;
            for (int axis = 0; axis < 3; ++axis)
                positions_[i][static_cast<size_t>(axis)] = static_cast<uint16_t>(std::lround(std::clamp(value[axis], 0.0f, 65535.0f)));
        });
    }

    Pixel position(size_t i, uint32_t shift) const {
        const auto byte = [&](size_t axis) { return static_cast<uint8_t>(positions_[i][axis] >> shift); };
        return {byte(0), byte(1), byte(2), 255};
    }

    /// Splats that no view draws have the same bytes, which take less than values that nobody sees: no colour, the smallest scales and hardly a rotation.
    bool isSeen(size_t i) const {
        constexpr float kSeen = 1.001f / 255;  // what is below 1/255 is not drawn; logits of bytes are rounded
        return opacityOfLogit(g_.logitOpacities[i]) >= kSeen;
    }

    Pixel scale(size_t i) const { return isSeen(i) ? bytesOf(scales_, g_.logScales[i], 255) : Pixel{0, 0, 0, 255}; }

    Pixel rotation(size_t i) const { return isSeen(i) ? nearestRotation(i) : Pixel{127, 127, 127, kSogFirstRotation}; }

    /// The bytes above or below each component, whichever together are nearest: their errors add up in the one that is left out.
    Pixel nearestRotation(size_t i) const {
        glm::vec4 q = unitRotation(g_.rotations[i]);
        int largest = 0;
        for (int c = 1; c < 4; ++c)
            if (std::abs(q[c]) > std::abs(q[largest])) largest = c;
        if (q[largest] < 0) q = -q;
        glm::vec3 others;
        for (int c = 0, next = 0; c < 4; ++c)
            if (c != largest) others[next++] = q[c];
        const glm::vec3 exact = 127.5f + 127.5f * std::numbers::sqrt2_v<float> * others;
        const glm::vec3 below = glm::clamp(glm::floor(exact), 0.0f, 255.0f), above = glm::clamp(glm::ceil(exact), 0.0f, 255.0f);
        glm::vec3 best = below;
        float nearest = -1;
        for (uint32_t ceilings = 0; ceilings < 8; ++ceilings) {
            const glm::vec3 bytes = glm::mix(below, above, glm::bvec3(ceilings & 1U, ceilings & 2U, ceilings & 4U));
            const float cosine = cosineOf(others, q[largest], (bytes / 255.0f * 2.0f - 1.0f) * (std::numbers::sqrt2_v<float> / 2));
            if (cosine > nearest) nearest = cosine, best = bytes;
        }
        return {static_cast<uint8_t>(best.x), static_cast<uint8_t>(best.y), static_cast<uint8_t>(best.z),
                static_cast<uint8_t>(kSogFirstRotation + largest)};
    }

    /// Between a rotation and the one of which a reader knows these components, and completes the largest (sogRotation()).
    static float cosineOf(glm::vec3 others, float largest, glm::vec3 known) {
        const float squared = glm::dot(known, known);
        if (squared > 1) return glm::dot(others, known) / std::sqrt(squared);
        return glm::dot(others, known) + largest * std::sqrt(1 - squared);
    }

    Pixel colour(size_t i) const {
        return isSeen(i) ? bytesOf(colours_, g_.sh[i * each_], byteOf(255 * opacityOfLogit(g_.logitOpacities[i]))) : Pixel{};
    }

    size_t paletteSize() const { return palette_.centroids.size() / (3 * (each_ - 1)); }

    Image8 paletteImage() const {
        const auto rows = (paletteSize() + kSogPaletteColumns - 1) / kSogPaletteColumns;
        return imageOf(static_cast<int>(kSogPaletteColumns * (each_ - 1)), static_cast<int>(rows), paletteSize() * (each_ - 1),
                       [&](size_t k) {
                           const float* values = &palette_.centroids[3 * k];
                           return bytesOf(coefficients_, {values[0], values[1], values[2]}, 255);
                       });
    }

    std::string meta() const {
        const auto codebook = [](const ByteValues& values) { return fmt::format(R"("codebook":[{}])", fmt::join(values, ",")); };
        const auto numbers = [](glm::vec3 v) { return fmt::format("[{},{},{}]", v.x, v.y, v.z); };
        std::string text = fmt::format(R"({{"version":2,"asset":{{"generator":"Splatwright"}},"count":{},)", g_.count());
        if (g_.antialiased) text += R"("model":"antialiased",)";
        text += fmt::format(R"("means":{{"mins":{},"maxs":{},"files":["means_l.webp","means_u.webp"]}},)", numbers(low_), numbers(high_));
        text += fmt::format(R"("scales":{{{},"files":["scales.webp"]}},"quats":{{"files":["quats.webp"]}},)", codebook(scales_));
        text += fmt::format(R"("sh0":{{{},"files":["sh0.webp"]}})", codebook(colours_));
        if (each_ > 1) {
            text += fmt::format(R"(,"shN":{{"count":{},"bands":{},{},"files":["shN_centroids.webp","shN_labels.webp"]}})", paletteSize(),
                                g_.shDegree, codebook(coefficients_));
        }
        return text + "}";
    }

    const Gaussians& g_;
    VectorClusters palette_;
    size_t each_;  // coefficients per splat
    std::vector<uint32_t> order_;
    int width_, height_;
    glm::vec3 low_{0}, high_{0};
    std::vector<std::array<uint16_t, 3>> positions_;  // steps between the two
    ByteValues scales_{}, colours_{}, coefficients_{};
};

}  // namespace

std::vector<ZipEntry> encodeSog(const std::filesystem::path& path, const Gaussians& gaussians, SogOrder order, VectorClusters palette) {
    requireWritable(path, gaussians);
    std::vector<ZipEntry> files = Encoder(path, gaussians, order, std::move(palette)).files();
    size_t bytes = 0;
    for (const ZipEntry& file : files) bytes += file.name == kSogMeta ? 0 : file.bytes.size();
    if (const size_t most = sogMostSplats(bytes); gaussians.count() > most) {
        throw InputError(
            "{}: found {} splats, so alike that their images have {} bytes; expected at most {}, or the file could not be told from a bomb",
            path.string(), gaussians.count(), bytes, most);
    }
    return files;
}

}  // namespace splat
