#include <splatwright/prepare/model_file.h>

#include <splatwright/core/file.h>
#include <splatwright/scene/files/byte_packer.h>
#include <splatwright/scene/files/byte_reader.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

// Smallest size of a record in bytes; bounds the allocation for a corrupt count.
constexpr size_t kCameraBytes = 4 + 4 + 8 + 8;
constexpr size_t kImageBytes = 4 + 7 * 8 + 4 + 1 + 8;
constexpr size_t kKeypointBytes = 8 + 8 + 8;
constexpr size_t kPointBytes = 8 + 3 * 8 + 3 + 8 + 8;
constexpr size_t kTrackBytes = 4 + 4;

ModelCamera readCamera(ByteReader& in, const fs::path& path) {
    ModelCamera camera{.id = in.read<uint32_t>("camera id"), .model = in.read<int32_t>("camera model")};
    camera.width = in.read<uint64_t>("camera width");
    camera.height = in.read<uint64_t>("camera height");
    const LensModel* lens = findLensModel(camera.model);
    if (!lens)
        throw InputError("{}: camera {}: model is {}, expected that of {}", path.string(), camera.id, camera.model, lensModelNames());
    camera.parameters = in.readValues<double>(lens->parameters(), "camera parameters");
    return camera;
}

ModelImage readImage(ByteReader& in) {
    ModelImage image{.id = in.read<uint32_t>("image id")};
    const auto pose = in.readValues<double>(7, "image pose");
    image.rotation = glm::dquat(pose[0], pose[1], pose[2], pose[3]);
    image.translation = {pose[4], pose[5], pose[6]};
    image.camera = in.read<uint32_t>("image's camera id");
    image.name = in.readString("image name");
    image.keypoints.resize(in.readCount("number of image points", kKeypointBytes));
    for (auto& keypoint : image.keypoints) {
        keypoint = {in.read<double>("image point"), in.read<double>("image point"), in.read<uint64_t>("image point's id")};
    }
    return image;
}

ModelPoint readPoint(ByteReader& in) {
    ModelPoint point{.id = in.read<uint64_t>("point id")};
    for (int i = 0; i < 3; ++i) point.position[i] = in.read<double>("point position");
    for (uint8_t& channel : point.colour) channel = in.read<uint8_t>("point colour");
    point.error = in.read<double>("point error");
    point.track.resize(in.readCount("length of the point's track", kTrackBytes));
    for (auto& seen : point.track) seen = {in.read<uint32_t>("track's image"), in.read<uint32_t>("track's image point")};
    return point;
}

template <class Record, class Read>
std::vector<Record> readAll(const fs::path& path, const char* count, size_t bytesEach, const Read& read) {
    const std::vector<std::byte> bytes = readFile(path);
    ByteReader in(path, bytes);
    std::vector<Record> records(in.readCount(count, bytesEach));
    for (Record& record : records) record = read(in);
    return records;
}

std::string packCameras(const Model& model) {
    BytePacker out;
    out.put(uint64_t{model.cameras.size()});
    for (const ModelCamera& c : model.cameras) {
        out.put(c.id, c.model, c.width, c.height);
        for (const double parameter : c.parameters) out.put(parameter);
    }
    return out.text();
}

std::string packImages(const Model& model) {
    BytePacker out;
    out.put(uint64_t{model.images.size()});
    for (const ModelImage& image : model.images) {
        const auto& [q, t] = std::tie(image.rotation, image.translation);
        out.put(image.id, q.w, q.x, q.y, q.z, t.x, t.y, t.z, image.camera).putName(image.name);
        out.put(uint64_t{image.keypoints.size()});
        for (const auto& keypoint : image.keypoints) out.put(keypoint.x, keypoint.y, keypoint.point);
    }
    return out.text();
}

std::string packPoints(const Model& model) {
    BytePacker out;
    out.put(uint64_t{model.points.size()});
    for (const ModelPoint& p : model.points) {
        out.put(p.id, p.position.x, p.position.y, p.position.z, p.colour[0], p.colour[1], p.colour[2], p.error, uint64_t{p.track.size()});
        for (const auto& seen : p.track) out.put(seen.image, seen.keypoint);
    }
    return out.text();
}

}  // namespace

Model readModel(const fs::path& folder) {
    const fs::path cameras = folder / "cameras.bin";
    return {.cameras =
                readAll<ModelCamera>(cameras, "number of cameras", kCameraBytes, [&](ByteReader& in) { return readCamera(in, cameras); }),
            .images = readAll<ModelImage>(folder / "images.bin", "number of images", kImageBytes, readImage),
            .points = readAll<ModelPoint>(folder / "points3D.bin", "number of points", kPointBytes, readPoint)};
}

void writeModel(const fs::path& folder, const Model& model) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw Error("{}: cannot be created: {}", folder.string(), failed.message());
    writeFileAtomically(folder / "cameras.bin", packCameras(model));
    writeFileAtomically(folder / "images.bin", packImages(model));
    writeFileAtomically(folder / "points3D.bin", packPoints(model));
}

bool hasModel(const fs::path& folder) { return mayExist(folder / "images.bin"); }

}  // namespace splat::prepare
