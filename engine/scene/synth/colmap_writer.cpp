#include <splatwright/scene/synth/colmap_writer.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include <glm/gtc/quaternion.hpp>

#include <splatwright/core/file.h>

namespace splat {

namespace {

constexpr int32_t kPinhole = 1;  // COLMAP's model id; parameters fx, fy, cx, cy

static_assert(std::endian::native == std::endian::little, "COLMAP's files are little-endian");

/// Appends plain values without padding, as COLMAP stores them.
class Packer {
public:
    template <class... T>
    void put(const T&... values) {
        (text_.append(reinterpret_cast<const char*>(&values), sizeof(T)), ...);
        static_assert((std::is_arithmetic_v<T> && ...));
    }
    void putName(const std::string& name) { text_.append(name.c_str(), name.size() + 1); }  // with the terminating zero
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

auto intrinsics(const Camera& c) { return std::tie(c.width, c.height, c.fx, c.fy, c.cx, c.cy); }

std::vector<Camera> distinctIntrinsics(const std::vector<NamedCamera>& views) {
    std::vector<Camera> distinct;
    for (const auto& [name, camera] : views) {
        const bool known = std::ranges::any_of(distinct, [&](const Camera& other) { return intrinsics(other) == intrinsics(camera); });
        if (!known) distinct.push_back(camera);
    }
    return distinct;
}

/// Ids start at 1, as COLMAP's do.
uint32_t cameraId(const std::vector<Camera>& distinct, const Camera& camera) {
    const auto found = std::ranges::find_if(distinct, [&](const Camera& other) { return intrinsics(other) == intrinsics(camera); });
    return static_cast<uint32_t>(found - distinct.begin()) + 1;
}

std::string packCameras(const std::vector<Camera>& distinct) {
    Packer out;
    out.put(uint64_t{distinct.size()});
    for (const Camera& c : distinct) {
        out.put(cameraId(distinct, c), kPinhole, static_cast<uint64_t>(c.width), static_cast<uint64_t>(c.height), c.fx, c.fy, c.cx, c.cy);
    }
    return out.text();
}

struct ImagePoint {
    double x = 0, y = 0;
    uint64_t point = 0;  ///< id
};

/// The observations per view, in the order of the points.
std::vector<std::vector<ImagePoint>> imagePoints(size_t views, const Tracks& tracks) {
    std::vector<std::vector<ImagePoint>> all(views);
    for (size_t point = 0; point < tracks.size(); ++point) {
        for (const Observation& o : tracks[point]) all[o.view].push_back({o.x, o.y, point + 1});
    }
    return all;
}

std::string packImages(const std::vector<NamedCamera>& views, const std::vector<Camera>& distinct, const Tracks& tracks) {
    Packer out;
    const auto observed = imagePoints(views.size(), tracks);
    out.put(uint64_t{views.size()});
    uint32_t id = 0;
    for (const auto& [name, camera] : views) {
        const glm::dquat q = glm::quat_cast(camera.rotation);
        const glm::dvec3& t = camera.translation;
        out.put(++id, q.w, q.x, q.y, q.z, t.x, t.y, t.z, cameraId(distinct, camera));
        out.putName(name);
        out.put(uint64_t{observed[id - 1].size()});
        for (const ImagePoint& p : observed[id - 1]) out.put(p.x, p.y, p.point);
    }
    return out.text();
}

/// The point's observations: image and index among that image's points, which `next` counts.
void packTrack(Packer& out, const std::vector<Observation>& track, std::vector<uint32_t>& next) {
    out.put(uint64_t{track.size()});
    for (const Observation& o : track) out.put(o.view + 1, next[o.view]++);
}

std::string packPoints(const std::vector<Point>& points, size_t views, const Tracks& tracks) {
    Packer out;
    std::vector<uint32_t> next(views);
    out.put(uint64_t{points.size()});
    uint64_t id = 0;
    for (const Point& point : points) {
        const glm::dvec3 p(point.position);
        const double reprojectionError = 0;
        out.put(++id, p.x, p.y, p.z, point.colour[0], point.colour[1], point.colour[2], reprojectionError);
        packTrack(out, tracks.empty() ? std::vector<Observation>{} : tracks[id - 1], next);
    }
    return out.text();
}

}  // namespace

void writeColmapModel(const std::filesystem::path& folder, const std::vector<NamedCamera>& views, const std::vector<Point>& points,
                      const Tracks& tracks) {
    const std::vector<Camera> distinct = distinctIntrinsics(views);
    writeFileAtomically(folder / "cameras.bin", packCameras(distinct));
    writeFileAtomically(folder / "images.bin", packImages(views, distinct, tracks));
    writeFileAtomically(folder / "points3D.bin", packPoints(points, views.size(), tracks));
}

}  // namespace splat
