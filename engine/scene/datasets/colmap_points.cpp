#include <cmath>
#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/read_number.h>
#include <splatwright/scene/cameras/camera_limits.h>
#include <splatwright/scene/datasets/colmap_files.h>
#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/point_splats.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

Gaussians splatsOf(const fs::path& path, const std::vector<Point>& points) {
    if (points.empty()) throw InputError("{}: found no points, expected at least one", path.string());
    std::vector<glm::vec3> positions, colours;
    for (const Point& point : points) {
        positions.push_back(point.position);
        colours.push_back(glm::vec3(point.colour[0], point.colour[1], point.colour[2]) / 255.0f);
    }
    return splatsAt(std::move(positions), colours);
}

Gaussians readBinary(const fs::path& path) { return splatsOf(path, kColmapBinary.readPoints(path).points); }

/// Whether a file starts as points3D.bin with at least one point does, which has no signature: their number, then a point whose position and
/// reprojection error are possible. Files of numbers of 32 bits would have a zero among the first two.
bool recognisesBinary(std::string_view head) {
    constexpr uint64_t kMostPoints = uint64_t{1} << 32U;
    constexpr size_t kPosition = 16, kError = kPosition + 3 * sizeof(double) + 3, kEnd = kError + sizeof(double) + sizeof(uint64_t);
    if (head.size() < kEnd) return false;
    const auto* bytes = reinterpret_cast<const std::byte*>(head.data());
    const uint64_t count = valueAt<uint64_t>(bytes);
    const glm::dvec3 position(valueAt<double>(bytes + kPosition), valueAt<double>(bytes + kPosition + 8),
                              valueAt<double>(bytes + kPosition + 16));
    const double error = valueAt<double>(bytes + kError);
    const bool measured = error == 0 || std::isnormal(error);  // other bytes, as those of an empty .ksplat, are often subnormal
    return count > 0 && count < kMostPoints && withinCoordinates(position) && measured && error >= -1;
}

constexpr std::string_view kTextStart = "# 3D point list";

/// What COLMAP's comment says of the number of points; nothing without it.
std::optional<size_t> pointsOfComment(std::string_view text) {
    constexpr std::string_view kComment = "\n# Number of points: ";
    const size_t at = text.find(kComment);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text.substr(at + kComment.size());
    size_t count = 0;
    return readNumber(rest.substr(0, rest.find_first_of(",\r\n")), count) ? std::optional(count) : std::nullopt;
}

/// A text that says how many points it has is complete; others may end after any line.
void requireComplete(const fs::path& path, size_t points) {
    const std::string text = readTextFile(path);
    const std::optional<size_t> expected = pointsOfComment(text);
    if (!expected) return;
    if (points != *expected) throw InputError("{}: found {} points, expected {} as its comment says", path.string(), points, *expected);
    if (!text.ends_with('\n')) throw InputError("{}: the last line is incomplete, expected a line break at its end", path.string());
}

Gaussians readText(const fs::path& path) {
    const ColmapPoints all = kColmapText.readPoints(path);
    requireComplete(path, all.points.size());
    return splatsOf(path, all.points);
}

bool recognisesText(std::string_view head) { return head.starts_with(kTextStart); }

}  // namespace

extern const SplatFormat kColmapPointsFormat{
    .name = "COLMAP points",
    .extension = ".bin",
    .help = "points3D.bin as round splats, as a training starts from them",
    .recognises = recognisesBinary,
    .read = readBinary,
};

extern const SplatFormat kColmapTextPointsFormat{
    .name = "COLMAP text points",
    .extension = ".txt",
    .help = "points3D.txt in the same way",
    .recognises = recognisesText,
    .read = readText,
};

}  // namespace splat
