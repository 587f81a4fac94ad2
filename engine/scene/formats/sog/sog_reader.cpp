#include <splatwright/scene/formats/sog/sog.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/finite.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/sog/sog_meta.h>

namespace splat {
namespace {

// Other programs may round the sides of an image up, to powers of two for example.
constexpr size_t kMostRows = kSogMostEntries / kSogPaletteColumns;
constexpr uint32_t kAxisSteps = 65536;  // of a coordinate
constexpr size_t kGathered = 64;        // splats whose coefficients are read together
constexpr size_t kMostPixelsPerSplat = 4, kHarmlessPixels = size_t{1} << 16U;

using Files = std::array<std::vector<std::byte>, kSogFiles>;
using Images = std::array<Image8, kSogFiles>;

/// The images of one SOG.
class Decoded {
public:
    Decoded(const SogSource& source, std::span<const std::byte> meta) : path_(source.path), meta_(parseSogMeta(where(kSogMeta), meta)) {
        fileCount_ = meta_.hasPalette() ? kSogFiles : kSogFilesOfDegree0;
        decode(readFiles(source));
        form_.shDegree = meta_.hasPalette() ? degreeOfWidth(image(SogFile::palette).width) : 0;
        form_.antialiased = meta_.antialiased;
        if (meta_.count >= kAxisSteps) coordinates_ = coordinatesOfWords();
        finite_ = hasFiniteValues();
    }

    size_t count() const { return meta_.count; }
    const Gaussians& form() const { return form_; }

    Gaussians read() const {
        Gaussians gaussians = modelOf(form_, meta_.count);
        constexpr size_t kSlice = 4096;  // splats per thread and step
        parallelSlices(meta_.count, kSlice, [&](size_t first, size_t end) { unpack(first, end, gaussians, first); });
        if (!finite_) requireFinite(path_, gaussians);
        return gaussians;
    }
    Gaussians read(size_t first, size_t end, const Gaussians& form) const {
        Gaussians gaussians = modelOf(form, end - first);
        unpack(first, end, gaussians, 0);
        if (!finite_) requireFinite(path_, gaussians, 0, gaussians.count(), first);
        return gaussians;
    }

private:
    std::string where(const std::string& name) const { return fmt::format("{}: {}", path_.string(), name); }
    const Image8& image(SogFile which) const { return images_[static_cast<size_t>(which)]; }
    const uint8_t* pixel(SogFile which, size_t i) const { return &image(which).pixels[4 * i]; }

    /// Throws InputError for files too small for the number of splats, and for images of other sizes, before anything is decoded.
    Files readFiles(const SogSource& source) const {
        Files files;
        size_t bytes = 0;
        for (size_t f = 0; f < fileCount_; ++f) {
            files[f] = source.read(meta_.files[f]);
            bytes += files[f].size();
        }
        if (const size_t most = sogMostSplats(bytes); meta_.count > most) {
            throw InputError("{}: the number of splats is {}, expected at most {} (damaged or truncated: {} bytes in total)",
                             where(kSogMeta), meta_.count, most, bytes);
        }
        for (size_t f = 0; f < fileCount_; ++f) requireSize(static_cast<SogFile>(f), losslessWebpSize(where(meta_.files[f]), files[f]));
        return files;
    }

    void requireSize(SogFile file, glm::ivec2 size) const {
        const size_t pixels = static_cast<size_t>(size.x) * static_cast<size_t>(size.y);
        const std::string found = fmt::format("{}: {}x{} pixels", where(meta_.file(file)), size.x, size.y);
        if (file != SogFile::palette) {
            const size_t most = kMostPixelsPerSplat * meta_.count + kHarmlessPixels;
            if (pixels < meta_.count || pixels > most) {
                throw InputError("{}, expected {} to {}, one per splat", found, meta_.count, most);
            }
            return;
        }
        const int degree = degreeOfWidth(size.x);
        if (degree == 0 || (meta_.shDegree >= 0 && degree != meta_.shDegree)) {
            throw InputError(
                "{}, expected a width of {}", found,
                meta_.shDegree < 0 ? "192, 512 or 960" : std::to_string(kSogPaletteColumns * (shCoefficients(meta_.shDegree) - 1)));
        }
        const size_t rows = static_cast<size_t>(size.y);
        if (rows > kMostRows || meta_.paletteSize > rows * kSogPaletteColumns) {
            throw InputError("{}, expected {} to {} rows for {} entries", found,
                             (meta_.paletteSize + kSogPaletteColumns - 1) / kSogPaletteColumns, kMostRows, meta_.paletteSize);
        }
    }

    static int degreeOfWidth(int width) {
        for (int degree = 1; degree <= kMaxShDegree; ++degree)
            if (static_cast<size_t>(width) == kSogPaletteColumns * (shCoefficients(degree) - 1)) return degree;
        return 0;
    }

    void decode(Files files) {
        // The largest files first, so that no core waits long for the last one.
        std::vector<size_t> order(fileCount_);
        std::iota(order.begin(), order.end(), size_t{0});
        std::ranges::sort(order, std::greater(), [&](size_t f) { return files[f].size(); });
        parallelFor(fileCount_, [&](size_t i) {
            const size_t f = order[i];
            images_[f] = decodeLosslessWebp(where(meta_.files[f]), files[f]);
        });
    }

    size_t paletteEntries() const {
        if (meta_.paletteSize > 0 || !meta_.hasPalette()) return meta_.paletteSize;
        return kSogPaletteColumns * static_cast<size_t>(image(SogFile::palette).height);
    }

    float coordinateOf(uint32_t word, int axis) const {
        const float logarithm = meta_.low[axis] + (meta_.high[axis] - meta_.low[axis]) * static_cast<float>(word) / (kAxisSteps - 1);
        return std::copysign(std::expm1(std::abs(logarithm)), logarithm);
    }

    /// Whether all numbers that bytes stand for are finite: coordinates lie between those of the first and the last word.
    bool hasFiniteValues() const {
        const auto finite = [](const ByteValues& values) { return allFinite(std::span<const float>(values)); };
        for (int axis = 0; axis < 3; ++axis)
            if (!std::isfinite(coordinateOf(0, axis)) || !std::isfinite(coordinateOf(kAxisSteps - 1, axis))) return false;
        return std::ranges::all_of(meta_.logScales, finite) && std::ranges::all_of(meta_.dc, finite) && finite(meta_.logitOpacities) &&
               finite(meta_.coefficients);
    }

    /// Those of each axis, by word.
    std::vector<float> coordinatesOfWords() const {
        std::vector<float> coordinates;
        for (int axis = 0; axis < 3; ++axis)
            for (uint32_t word = 0; word < kAxisSteps; ++word) coordinates.push_back(coordinateOf(word, axis));
        return coordinates;
    }

    /// The splats [first, end) become the model's from `to` on.
    void unpack(size_t first, size_t end, Gaussians& gaussians, size_t to) const {
        for (size_t i = first; i < end; ++i) unpackButPalette(i, gaussians, to + i - first);
        if (!meta_.hasPalette()) return;
        for (size_t i = first; i < end; i += kGathered)
            unpackCoefficients(i, std::min(i + kGathered, end), &gaussians.sh[(to + i - first) * shCoefficients(gaussians.shDegree)]);
    }

    void unpackButPalette(size_t i, Gaussians& gaussians, size_t to) const {
        const uint8_t *low = pixel(SogFile::meansLow, i), *high = pixel(SogFile::meansHigh, i);
        const uint8_t *scale = pixel(SogFile::scales, i), *colour = pixel(SogFile::colours, i);
        glm::vec3* sh = &gaussians.sh[to * shCoefficients(gaussians.shDegree)];
        for (int c = 0; c < 3; ++c) {
            const auto word = static_cast<uint32_t>(low[c] | high[c] << 8);
            gaussians.means[to][c] =
                coordinates_.empty() ? coordinateOf(word, c) : coordinates_[static_cast<size_t>(c) * kAxisSteps + word];
            gaussians.logScales[to][c] = meta_.logScales[static_cast<size_t>(c)][scale[c]];
            sh[0][c] = meta_.dc[static_cast<size_t>(c)][colour[c]];
        }
        gaussians.logitOpacities[to] = meta_.logitOpacities[colour[3]];
        gaussians.rotations[to] = sogRotation(pixel(SogFile::rotations, i));
    }

    /// From the image of the palette, which has a quarter of the bytes of its values. The entries of neighbours lie anywhere in it: to copy several at once
    /// lets the processor wait for them together.
    void unpackCoefficients(size_t first, size_t end, glm::vec3* sh) const {
        const size_t each = shCoefficients(form_.shDegree), entryBytes = 4 * (each - 1);
        std::array<uint8_t, kGathered * 4 * shCoefficients(kMaxShDegree)> entries;
        for (size_t i = first; i < end; ++i) std::memcpy(&entries[(i - first) * entryBytes], entryOf(i), entryBytes);
        for (const uint8_t* bytes = entries.data(); bytes < &entries[(end - first) * entryBytes]; ++sh)
            for (size_t k = 1; k < each; ++k, bytes += 4)
                *++sh = {meta_.coefficients[bytes[0]], meta_.coefficients[bytes[1]], meta_.coefficients[bytes[2]]};
    }

    const uint8_t* entryOf(size_t i) const {
        const uint8_t* label = pixel(SogFile::labels, i);
        const size_t entry = label[0] | static_cast<size_t>(label[1]) << 8U;
        if (entry < paletteEntries()) return pixel(SogFile::palette, entry * (shCoefficients(form_.shDegree) - 1));
        throw InputError("{}: the label of splat {} is {}, expected at most {}", where(meta_.file(SogFile::labels)), i, entry,
                         paletteEntries() - 1);
    }

    std::filesystem::path path_;
    SogMeta meta_;
    size_t fileCount_ = 0;
    Images images_;
    // By axis and word, as an exponential per splat takes longer; none where there are fewer splats than words.
    std::vector<float> coordinates_;
    Gaussians form_;
    bool finite_ = false;  // every splat is
};

}  // namespace

glm::vec4 sogRotation(const uint8_t* bytes) {
    const int largest = bytes[3] - kSogFirstRotation;
    if (largest < 0) return {1, 0, 0, 0};
    glm::vec4 q(0);
    for (int c = 0, from = 0; c < 4; ++c) {
        if (c != largest) q[c] = (static_cast<float>(bytes[from++]) / 255 * 2 - 1) * static_cast<float>(std::numbers::sqrt2 / 2);
    }
    return completed(q, largest);
}

Gaussians readSog(const SogSource& source, std::span<const std::byte> meta) { return Decoded(source, meta).read(); }

std::unique_ptr<SplatBlocks> openSog(const SogSource& source, std::span<const std::byte> meta) {
    auto decoded = std::make_unique<const Decoded>(source, meta);
    const size_t count = decoded->count();
    Gaussians form = decoded->form();
    return std::make_unique<FileBlocks<Decoded>>(std::move(form), count, std::move(decoded));
}

}  // namespace splat
