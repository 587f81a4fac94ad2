#include <splatwright/scene/formats/ply_points.h>

#include <splatwright/scene/formats/ply_sh.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

constexpr std::array<uint8_t, 3> kGrey{128, 128, 128};

}  // namespace

std::vector<Point> readPointsPly(const std::filesystem::path& path) {
    PlyRows rows(path, "vertex");
    std::vector<std::string> properties{"x", "y", "z"};
    const bool coloured = rows.has("red") && rows.has("green") && rows.has("blue");
    if (coloured) properties.insert(properties.end(), {"red", "green", "blue"});
    const float scale = coloured ? 255 * colourScaleOf(rows) : 1;
    rows.require(properties);
    std::vector<Point> points(rows.count());
    rows.forEach(properties, [&](size_t row, std::span<const float> v) {
        Point& point = points[row];
        point.position = {v[0], v[1], v[2]};
        point.colour = coloured ? std::array{byteOf(scale * v[3]), byteOf(scale * v[4]), byteOf(scale * v[5])} : kGrey;
    });
    return points;
}

}  // namespace splat
