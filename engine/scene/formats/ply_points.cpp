#include <splatwright/scene/formats/ply_points.h>

#include <algorithm>
#include <cmath>

#include <splatwright/scene/formats/ply_rows.h>

namespace splat {
namespace {

constexpr std::array<uint8_t, 3> kGrey{128, 128, 128};

uint8_t toByte(float value) { return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0f, 255.0f))); }

}  // namespace

std::vector<Point> readPointsPly(const std::filesystem::path& path) {
    PlyRows rows(path, "vertex");
    std::vector<std::string> properties{"x", "y", "z"};
    const bool coloured = rows.has("red") && rows.has("green") && rows.has("blue");
    if (coloured) properties.insert(properties.end(), {"red", "green", "blue"});
    const bool isReal = coloured && (rows.typeOf("red") == PlyType::float32 || rows.typeOf("red") == PlyType::float64);
    const float scale = isReal ? 255.0f : 1.0f;
    rows.require(properties);
    std::vector<Point> points(rows.count());
    rows.forEach(properties, [&](size_t row, std::span<const float> v) {
        Point& point = points[row];
        point.position = {v[0], v[1], v[2]};
        point.colour = coloured ? std::array{toByte(scale * v[3]), toByte(scale * v[4]), toByte(scale * v[5])} : kGrey;
    });
    return points;
}

}  // namespace splat
