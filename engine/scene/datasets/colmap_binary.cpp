#include <array>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/cameras/lens_models.h>
#include <splatwright/scene/datasets/colmap_files.h>
#include <splatwright/scene/files/byte_reader.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

// Smallest size of a record in bytes; bounds the allocation for a corrupt count.
constexpr size_t kCameraBytes = 4 + 4 + 8 + 8 + 2 * 8;
constexpr size_t kImageBytes = 4 + 7 * 8 + 4 + 1 + 8;
constexpr size_t kPoint2dBytes = 8 + 8 + 8;
constexpr size_t kPoint3dBytes = 8 + 3 * 8 + 3 + 8 + 8;
constexpr size_t kTrackBytes = 4 + 4;

ColmapCameras readCameras(const fs::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    ByteReader reader(path, bytes);
    ColmapCameras cameras;
    for (uint64_t left = reader.readCount("number of cameras", kCameraBytes); left > 0; --left) {
        const auto id = reader.read<uint32_t>("camera id");
        const auto modelId = reader.read<int32_t>("camera model");
        const LensModel& model = requireModel(findLensModel(modelId), path, id, fmt::to_string(modelId));
        const auto width = reader.read<uint64_t>("camera width");
        const auto height = reader.read<uint64_t>("camera height");
        std::vector<double> parameters(model.parameters());
        for (double& parameter : parameters) parameter = reader.read<double>("camera parameters");
        addCamera(cameras, path, id, makeIntrinsics(fmt::format("{}: camera {}", path.string(), id), model, width, height, parameters));
    }
    return cameras;
}

std::vector<ColmapImage> readImages(const fs::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    ByteReader reader(path, bytes);
    std::vector<ColmapImage> images(reader.readCount("number of images", kImageBytes));
    for (ColmapImage& image : images) {
        image.id = reader.read<uint32_t>("image id");
        for (int i = 0; i < 4; ++i) image.rotation[i] = reader.read<double>("image rotation");
        for (int i = 0; i < 3; ++i) image.translation[i] = reader.read<double>("image translation");
        image.camera = reader.read<uint32_t>("image's camera id");
        image.name = reader.readString("image name");
        reader.skip(reader.readCount("number of image points", kPoint2dBytes) * kPoint2dBytes, "image points");
    }
    return images;
}

/// The observations of the points read so far.
void readTrack(ByteReader& reader, ColmapPoints& all) {
    const auto point = static_cast<uint32_t>(all.points.size() - 1);
    for (uint64_t left = reader.readCount("length of the point's track", kTrackBytes); left > 0; --left) {
        all.observations.push_back({reader.read<uint32_t>("image of the point's track"), point});
        reader.read<uint32_t>("image point of the point's track");
    }
}

ColmapPoints readPoints(const fs::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    ByteReader reader(path, bytes);
    ColmapPoints all;
    uint64_t left = reader.readCount("number of points", kPoint3dBytes);
    for (all.points.reserve(left); left > 0; --left) {
        const auto id = reader.read<uint64_t>("point id");
        glm::dvec3 position;
        for (int i = 0; i < 3; ++i) position[i] = reader.read<double>("point position");
        const auto colour = reader.read<std::array<uint8_t, 3>>("point colour");
        reader.read<double>("point error");
        all.points.push_back(makePoint(path, id, position, colour));
        readTrack(reader, all);
    }
    return all;
}

}  // namespace

const ColmapEncoding kColmapBinary{.ending = ".bin", .readCameras = readCameras, .readImages = readImages, .readPoints = readPoints};

}  // namespace splat
