#include <splatwright/scene/formats/spz.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/files/gzip.h>
#include <splatwright/scene/files/require_range.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/spz_content.h>
#include <splatwright/scene/formats/spz_layout.h>
#include <splatwright/scene/formats/spz_packed.h>
#include <splatwright/scene/formats/spz_writer.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/model_transform.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

// Coordinate systems by their axes: Left or Right, Down or Up, Back or Front, numbered 1 to 8 in this order. 9 to 16 are the same, rotated by
// a quarter turn about x that maps down to front.
constexpr uint32_t kCoordinateSystemExtension = 0xadbe0003;
constexpr uint32_t kRightUpBack = 4, kLastUnturned = 8, kLastSystem = 16;

/// The coordinate system of the extensions, or the format's default.
uint32_t coordinateSystemOf(const fs::path& path, std::span<const std::byte> extensions) {
    uint32_t system = kRightUpBack;
    ByteReader reader(path, extensions);
    while (reader.left() > 0) {
        const auto type = reader.read<uint32_t>("an extension's type");
        size_t unread = reader.read<uint32_t>("an extension's length");
        if (type == kCoordinateSystemExtension && unread >= sizeof system) {
            system = reader.read<uint32_t>("the coordinate system");
            requireRange<uint32_t>(path, "the coordinate system (1: LDB to 16: RBU)", system, 1, kLastSystem);
            unread -= sizeof system;
        }
        reader.skip(unread, "an extension");
    }
    return system;
}

/// How splats get from a coordinate system to the axes of a PLY: right, down, front.
struct ToPlyAxes {
    explicit ToPlyAxes(uint32_t system) : turned(system > kLastUnturned), flip(signsOf((system - 1) % kLastUnturned, turned)) {}

    /// The signs of the axes before the turn, which makes one of y and z the other.
    static glm::vec3 signsOf(uint32_t bits, bool turned) {
        const glm::vec3 signs{bits & 1u ? 1 : -1, bits & 2u ? -1 : 1, bits & 4u ? 1 : -1};
        return turned ? glm::vec3(signs.x, signs.z, signs.y) : signs;
    }

    bool turned;
    AxisFlip flip;
};

Gaussians turned(Gaussians gaussians) {
    const double half = std::numbers::pi / 4;  // half the angle of the quarter turn that maps z to y and y to -z
    return transformed(std::move(gaussians), {.rotation = {std::cos(half), -std::sin(half), 0, 0}});
}

/// SH coefficients by byte.
using Coefficients = std::array<float, 256>;

constexpr Coefficients coefficientsOf(float sign) {
    Coefficients values{};
    for (size_t byte = 0; byte < values.size(); ++byte) values[byte] = sign * (static_cast<float>(byte) - 128) / 128;
    return values;
}
constexpr Coefficients kCoefficients = coefficientsOf(1), kFlipped = coefficientsOf(-1);

/// The splats of a file whose blocks are in memory, a quarter of the splats and less.
class PackedSplats {
public:
    PackedSplats(const fs::path& path, std::span<const std::byte> bytes) : PackedSplats(path, unpackSpz(path, bytes)) {}

    size_t count() const { return packed_.header().count; }
    const Gaussians& form() const { return form_; }

    Gaussians read() const {
        constexpr size_t kSlice = 4096;  // splats per thread and step
        Gaussians gaussians = modelOf(form_, count());
        parallelEach(count(), kSlice, [&](size_t i) { unpack(i, gaussians, i); });
        return checked(std::move(gaussians), 0);
    }
    Gaussians read(size_t first, size_t end, const Gaussians& form) const {
        Gaussians gaussians = modelOf(form, end - first);
        for (size_t i = first; i < end; ++i) unpack(i, gaussians, i - first);
        return checked(std::move(gaussians), first);
    }

private:
    PackedSplats(const fs::path& path, SpzContent content)
        : path_(path),
          axes_(coordinateSystemOf(path, content.extensions)),
          packed_(content.header, std::move(content.bytes), content.start) {
        const int degree = content.header.shDegree;
        if (degree > kMaxShDegree) spdlog::warn("{}: SH degree {}, read up to {}", path.string(), degree, kMaxShDegree);
        form_.shDegree = std::min(degree, kMaxShDegree);
        form_.antialiased = content.header.flags & SpzHeader::kAntialiased;
        for (size_t n = 0; n < coefficients_.size(); ++n) coefficients_[n] = axes_.flip.sh[n / 3 + 1] > 0 ? &kCoefficients : &kFlipped;
    }

    void unpack(size_t i, Gaussians& gaussians, size_t to) const {
        gaussians.means[to] = packed_.position(i) * axes_.flip.position;
        gaussians.rotations[to] = packed_.rotation(i) * axes_.flip.rotation;
        gaussians.logScales[to] = packed_.logScale(i);
        gaussians.logitOpacities[to] = packed_.logitOpacity(i);
        const size_t coefficients = shCoefficients(gaussians.shDegree);
        glm::vec3* sh = &gaussians.sh[to * coefficients];
        sh[0] = packed_.dc(i);
        const uint8_t* bytes = packed_.higher(i).data();
        float* numbers = &sh[0][0] + 3;
        for (size_t n = 0; n < 3 * (coefficients - 1); ++n) numbers[n] = (*coefficients_[n])[bytes[n]];
    }

    /// `before`: splats of the file before these.
    Gaussians checked(Gaussians gaussians, size_t before) const {
        const bool halves = packed_.header().version == 1;  // the only numbers of a file that may be infinite or NaN
        if (halves) requireFinite(path_, gaussians, 0, gaussians.count(), before);
        return axes_.turned ? turned(std::move(gaussians)) : gaussians;
    }

    const fs::path path_;
    ToPlyAxes axes_;
    SpzPacked packed_;
    Gaussians form_;
    std::array<const Coefficients*, 3 * (shCoefficients(kMaxShDegree) - 1)> coefficients_{};  // for each channel from degree 1 on
};

template <uint32_t version, int firstBits = 5, int furtherBits = 4>
void writeBlocks(const fs::path& path, const SplatBlocks& blocks) {
    checkWritable(path);  // packing takes a while
    writeFileAtomically(path, encodeSpz(path, blocks, {.version = version, .firstBits = firstBits, .furtherBits = furtherBits}));
}

template <uint32_t version, int firstBits = 5, int furtherBits = 4>
void write(const fs::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    writeBlocks<version, firstBits, furtherBits>(path, BlocksInMemory(gaussians));
}

template <uint32_t version, int firstBits = 5, int furtherBits = 4>
constexpr SplatWriter writer(const char* name, const char* help) {
    return {.name = name,
            .help = help,
            .write = write<version, firstBits, furtherBits>,
            .writeBlocks = writeBlocks<version, firstBits, furtherBits>};
}

constexpr SplatWriter kWriters[] = {
    writer<3>("spz", "version 3: 24-bit positions, 8 bits for the rest, 5 and 4 for view-dependent colour; most programs read it"),
    writer<1>("spz-v1", "version 1: 16-bit floats for positions, coarse rotations; for the first programs"),
    writer<2>("spz-v2", "version 2: coarse rotations; for older programs"),
    writer<4>("spz-v4", "version 4: as version 3, compressed with zstd; for new programs"),
    writer<3, 8, 8>("spz-8bit", "version 3 with 8 bits for view-dependent colour: larger files"),
};

Gaussians read(const fs::path& path) { return decodeSpz(path, readFile(path)); }

std::unique_ptr<SplatBlocks> openBlocks(const fs::path& path) {
    auto splats = std::make_unique<const PackedSplats>(path, readFile(path));
    const size_t count = splats->count();
    Gaussians form = splats->form();
    return std::make_unique<FileBlocks<PackedSplats>>(std::move(form), count, std::move(splats));
}

bool recognises(std::string_view head) { return head.starts_with(kGzipSignature) || head.starts_with(kSpzSignature); }

}  // namespace

Gaussians decodeSpz(const fs::path& path, std::span<const std::byte> bytes) { return PackedSplats(path, bytes).read(); }

extern const SplatFormat kSpzFormat{
    .name = "SPZ",
    .extension = ".spz",
    .help = "Niantic's compressed splats, versions 1 to 4",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
    .open = openBlocks,
};

}  // namespace splat
