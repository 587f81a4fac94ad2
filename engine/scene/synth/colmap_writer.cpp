#include <splatwright/scene/synth/colmap_writer.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include <glm/gtc/quaternion.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/scene/datasets/camera_models.h>
#include <splatwright/scene/files/byte_packer.h>

namespace splat {

namespace {

auto intrinsics(const Lens& lens) {
    const Camera& c = lens.camera();
    return std::tie(c.width, c.height, c.fx, c.fy, c.cx, c.cy, lens.distortion());
}

/// Ids start at 1, as COLMAP's do. A new lens has the next one.
uint32_t cameraId(const std::vector<Lens>& distinct, const Lens& lens) {
    const auto found = std::ranges::find_if(distinct, [&](const Lens& other) { return intrinsics(other) == intrinsics(lens); });
    return static_cast<uint32_t>(found - distinct.begin()) + 1;
}

std::string packCameras(const std::vector<Lens>& distinct) {
    BytePacker out;
    out.put(uint64_t{distinct.size()});
    for (const Lens& lens : distinct) {
        const Camera& c = lens.camera();
        const LensModel* model = lens.distortion().model;
        if (!model) model = findLensModel("PINHOLE");
        out.put(cameraId(distinct, lens), static_cast<int32_t>(model->id), static_cast<uint64_t>(c.width), static_cast<uint64_t>(c.height));
        for (const double parameter : parametersOf(*model, c, lens.distortion())) out.put(parameter);
    }
    return out.text();
}

struct ImagePoint {
    double x = 0, y = 0;
    uint64_t point = 0;  ///< id
};

std::string packImages(const std::vector<NamedCamera>& views, const std::vector<Lens>& distinct, const Tracks& tracks) {
    BytePacker out;
    std::vector<std::vector<ImagePoint>> observed(views.size());  // in the order of the points
    for (size_t point = 0; point < tracks.size(); ++point) {
        for (const Observation& o : tracks[point]) observed[o.view].push_back({o.x, o.y, point + 1});
    }
    out.put(uint64_t{views.size()});
    uint32_t id = 0;
    for (const auto& [name, lens] : views) {
        const glm::dquat q = glm::quat_cast(lens.camera().rotation);
        const glm::dvec3& t = lens.camera().translation;
        out.put(++id, q.w, q.x, q.y, q.z, t.x, t.y, t.z, cameraId(distinct, lens));
        out.putName(name);
        out.put(uint64_t{observed[id - 1].size()});
        for (const ImagePoint& p : observed[id - 1]) out.put(p.x, p.y, p.point);
    }
    return out.text();
}

std::string packPoints(const std::vector<Point>& points, size_t views, const Tracks& tracks) {
    BytePacker out;
    std::vector<uint32_t> next(views);  // index among the image's points
    out.put(uint64_t{points.size()});
    uint64_t id = 0;
    for (const Point& point : points) {
        const glm::dvec3 p(point.position);
        const double reprojectionError = 0;
        out.put(++id, p.x, p.y, p.z, point.colour[0], point.colour[1], point.colour[2], reprojectionError);
        const std::vector<Observation> track = tracks.empty() ? std::vector<Observation>{} : tracks[id - 1];
        out.put(uint64_t{track.size()});
        for (const Observation& o : track) out.put(o.view + 1, next[o.view]++);
    }
    return out.text();
}

}  // namespace

void writeColmapModel(const std::filesystem::path& folder, const std::vector<NamedCamera>& views, const std::vector<Point>& points,
                      const Tracks& tracks) {
    std::vector<Lens> distinct;
    for (const auto& [name, lens] : views) {
        if (cameraId(distinct, lens) > distinct.size()) distinct.push_back(lens);
    }
    writeFileAtomically(folder / "cameras.bin", packCameras(distinct));
    writeFileAtomically(folder / "images.bin", packImages(views, distinct, tracks));
    writeFileAtomically(folder / "points3D.bin", packPoints(points, views.size(), tracks));
}

}  // namespace splat
