#include <array>
#include <cstdlib>
#include <fstream>
#include <map>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/images/exif.h>
#include <splatwright/scene/images/to_srgb.h>
#include <splatwright/scene/pictures/blob_file.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include "../scene/blob_samples.h"
#include "../scene/encoders.h"
#include "../scene/exif_samples.h"
#include "../scene/format_samples.h"
#include "../scene/ink_samples.h"
#include "../scene/photograph_encoders.h"
#include "../scene/raw_samples.h"
#include "../scene/streamed_sog_samples.h"

// Writes small valid inputs of every harness below a folder: FOLDER/HARNESS/NUMBER.

namespace {

using namespace splat;
using namespace splat::test;
namespace fs = std::filesystem;

using Seeds = std::map<std::string, std::vector<std::string>>;

constexpr size_t kMostBytes = 65536;  // of an input, also in long.sh: of a longer one, a harness would get the beginning

constexpr const char* kCamerasText =
    "# cameras\n1 SIMPLE_PINHOLE 40 30 40 20 15\n2 PINHOLE 40 30 40 41 20 15\n3 SIMPLE_RADIAL 40 30 40 20 15 0.1\n"
    "4 RADIAL 40 30 40 20 15 0.1 -0.05\n5 OPENCV 40 30 40 41 20 15 0.1 -0.05 0.001 0.002\n";
constexpr const char* kWideCamerasText =
    "1 OPENCV_FISHEYE 40 30 20 21 20 15 0.03 -0.01 0.004 -0.001\n2 FULL_OPENCV 40 30 40 41 20 15 0.1 -0.05 0.001 0.002 0.03 0.05 -0.02 "
    "0.01\n"
    "3 FOV 40 30 40 41 20 15 0.9\n4 SIMPLE_RADIAL_FISHEYE 40 30 20 20 15 -0.04\n5 RADIAL_FISHEYE 40 30 20 20 15 0.02 -0.01\n"
    "6 THIN_PRISM_FISHEYE 40 30 20 21 20 15 0.02 -0.01 0.001 -0.002 0.003 -0.001 0.002 -0.003\n"
    "7 RAD_TAN_THIN_PRISM_FISHEYE 40 30 20 21 20 15 0.02 -0.01 0 0 0 0 0.001 -0.002 0.002 -0.001 0 0\n8 SIMPLE_DIVISION 40 30 40 20 15 "
    "-0.1\n"
    "9 DIVISION 40 30 40 41 20 15 0.1\n10 SIMPLE_FISHEYE 40 30 9 20 15\n11 FISHEYE 40 30 9 9 20 15\n12 EUCM 40 30 40 41 20 15 0.55 1.1\n"
    "13 EQUIRECTANGULAR 40 20 40 20\n";
constexpr const char* kOddCamera = "1 OPENCV 64 64 4.2475e-153 4.2475e-153 32 32 0 0 5e-324 0\n";
constexpr const char* kImagesText = "1 1 0 0 0 0.5 -0.25 3 1 a.png\n3.5 4.5 7 1 2 -1\n2 0.7 0.1 0 0.7 0 0 3 5 folder/b c.jpg\n\n";
constexpr const char* kPointsText = "7 0.5 -1.25 3 200 100 0 0.4 1 0 2 5\n8 1e2 +3 -4 0 0 255 0 \n";
constexpr const char* kTransforms = R"({"fl_x": 40, "fl_y": 41, "cx": 20, "cy": 15, "w": 40, "h": 30, "k1": 0.1, "camera_model": "OPENCV",
"frames": [{"file_path": "images/a.png", "transform_matrix": [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]},
{"file_path": "./b", "camera_angle_x": 0.7, "transform_matrix": [[0, -2, 0, NaN], [2, 0, 0, 2], [0, 0, 2, 3]]}]})";
constexpr const char* kFisheyes = R"({"fl_x": 20, "w": 40, "h": 30, "k1": 0.1, "k3": 0.01, "camera_model": "OPENCV_FISHEYE",
"fisheye_crop_radius": 14, "frames": [{"file_path": "a.png", "p1": 0.01, "transform_matrix": [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]]},
{"file_path": "b", "camera_model": "FISHEYE624", "distortion_params": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
"transform_matrix": [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]]}]})";
constexpr const char* kPanoramas = R"({"fl_x": 20, "fl_y": 20, "w": 40, "h": 20, "camera_model": "EQUIRECTANGULAR",
"frames": [{"file_path": "a.png", "transform_matrix": [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]]}]})";
constexpr const char* kLists = R"({"fl_x": 20, "w": 40, "h": 30, "file_path": "b", "train_filenames": ["a.png"], "test_filenames": ["b"],
"frames": [{"file_path": "a.png", "transform_matrix": [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]]},
{"transform_matrix": [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3]]}]})";
constexpr const char* kConfig = R"({"strategy": "mcmc", "steps": 300, "lr_means": 1e-4, "background": [0, 0.5, 1], "masks": false})";
constexpr const char* kCameraFile = R"([{"name": "front", "width": 40, "height": 30, "fl_x": 40, "fl_y": 40, "cx": 20, "cy": 15,
"world_to_camera": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 3], [0, 0, 0, 1]]}])";
constexpr std::array kPageMessages{R"({"type":"move","x":3.5,"y":-4})",
                                   R"({"type":"button","button":2,"down":true})",
                                   R"({"type":"wheel","x":0,"y":-1.5})",
                                   R"({"type":"key","key":"PageDown","down":false})",
                                   R"({"type":"text","text":"\u00e9 \ud83d\ude00"})",
                                   R"({"type":"paste","text":"a\n\tb"})",
                                   R"({"type":"blur"})",
                                   R"({"type":"resize","width":1280,"height":720,"scale":1.25})",
                                   R"({"type":"shown","frame":4294967295})",
                                   R"({"type":"ping","number":7})",
                                   R"({"type":"control"})"};
constexpr const char* kScript = "# a script\nopen \"a file.ply\"\norbit 30 10\nwait pictures 3\nkey Ctrl+S\nsave out.ply\n";

std::string camerasBinary() {
    Bytes bytes;
    bytes.put(uint64_t{4}).put(uint32_t{1}).put(int32_t{1}).put(uint64_t{40}).put(uint64_t{30});
    for (const double p : {40.0, 41.0, 20.0, 15.0}) bytes.put(p);
    bytes.put(uint32_t{2}).put(int32_t{4}).put(uint64_t{40}).put(uint64_t{30});
    for (const double p : {40.0, 41.0, 20.0, 15.0, 0.1, -0.05, 0.001, 0.002}) bytes.put(p);
    bytes.put(uint32_t{3}).put(int32_t{5}).put(uint64_t{40}).put(uint64_t{30});
    for (const double p : {20.0, 21.0, 20.0, 15.0, 0.1, -0.05, 0.001, 0.002}) bytes.put(p);
    bytes.put(uint32_t{4}).put(int32_t{17}).put(uint64_t{40}).put(uint64_t{20}).put(40.0).put(20.0);
    return bytes.content();
}

std::string imagesBinary() {
    Bytes bytes;
    bytes.put(uint64_t{1}).put(uint32_t{1});
    for (const double p : {1.0, 0.0, 0.0, 0.0, 0.5, -0.25, 3.0}) bytes.put(p);
    bytes.put(uint32_t{1}).putText("folder/a.png").put(uint64_t{1}).put(3.5).put(4.5).put(int64_t{-1});
    return bytes.content();
}

std::string pointsBinary() {
    Bytes bytes;
    bytes.put(uint64_t{1}).put(uint64_t{7}).put(0.5).put(-1.25).put(3.0).put(uint8_t{200}).put(uint8_t{100}).put(uint8_t{0}).put(0.4);
    bytes.put(uint64_t{1}).put(uint32_t{2}).put(uint32_t{5});
    return bytes.content();
}

std::string checkpoint(const fs::path& folder) {
    Checkpoint checkpoint;
    checkpoint.header = {{"step", 120}, {"device", "a device"}, {"settings", {{"steps", 300}}}, {"resumed_from", {10, 20}}};
    checkpoint.sections = {{"means", 12, std::vector<std::byte>(60)}, {"empty", 8, {}}, {"flags", 1, std::vector<std::byte>(7)}};
    const fs::path path = folder / "written.splat-ckpt";
    writeCheckpoint(path, checkpoint);
    std::string content = readTextFile(path);
    fs::remove(path);
    return content;
}

/// The beginning of a file of weights, which has 10 MB; the harness completes its prefix.
std::string lpipsWeights(size_t channels) {
    Bytes bytes;
    for (const char c : std::string("SPLATLPS\1\0\0\0", 12)) bytes.put(c);
    bytes.put(uint32_t{0}).put(uint64_t{0}).putText("alexnet").putText("conv1.weight");
    bytes.put(static_cast<uint32_t>(channels)).put(uint32_t{3}).put(uint32_t{11}).put(uint32_t{11});
    for (int i = 0; i < 500; ++i) bytes.put(0.25F);
    return bytes.content();
}

/// meta.json, then the images in the order in which the harness names them, each between marks.
std::vector<std::string> sogFiles() {
    std::vector<std::string> inputs;
    for (const auto& [version, degree] : {std::pair(2, 0), std::pair(2, 3), std::pair(1, 1), std::pair(1, 0)}) {
        const Gaussians splats = randomSplats(5, degree);
        SogFiles files = SogEncoder(splats, version).files();
        std::string& input = inputs.emplace_back(files.extract("meta.json").mapped());
        for (const auto& [name, content] : files) {
            for (size_t at = 0; (at = input.find(name, at)) != std::string::npos;)
                input.replace(at, name.size(), name.substr(0, name.find('.')));
            input += "\n---\n" + content;
        }
    }
    return inputs;
}

/// Lists of the files that the harness has, one of them as splat-transform writes it, and archives with their files.
std::vector<std::string> streamedSogs() {
    const Scratch scratch;
    const fs::path list = scratch.path() / kStreamedSogList, archive = scratch.path() / "scene.ssog";
    writeStreamedSample(list);
    std::vector<std::string> inputs{
        readTextFile(list),
        R"({"lodLevels":2,"environment":"1_0/meta.json","filenames":["0_0/meta.json","1_0/meta.json"],"tree":{"bound":{"min":[-1,-1,-1],)"
        R"("max":[1,0,1]},"children":[{"bound":{"min":[-1,-1,-1],"max":[1,0,0]},"lods":{"0":{"file":0,"offset":0,"count":3}}},)"
        R"({"bound":{"min":[0,0,0],"max":[1,0,1]},"lods":{"0":{"file":0,"offset":3,"count":2},"1":{"file":1,"offset":0,"count":2}}}]}})"};
    for (const int degree : {0, 1}) {
        writeStreamedSample(archive, degree);
        inputs.push_back(readTextFile(archive));
    }
    return inputs;
}

/// Planes as they are (few blobs) and as zstd frames, and every coding.
std::vector<std::string> blobFiles() {
    std::vector<std::string> files;
    for (const size_t count : {0U, 1U, 5U, 200U}) {
        for (const bool summed : {false, true})
            files.push_back(textOf(encodeBlobs(pictureLikeBlobs(count, summed), {.bits = {9, 4, 3, 9, 2}})));
    }
    return files;
}

/// Every kind of sample, part and compression that is read in a way of its own.
std::vector<std::string> tiffs() {
    std::vector<RawTiff> kinds;
    for (const int channels : {3, 4}) kinds.push_back(rawTiff(testImage(20, 12, channels)));
    kinds.push_back(kinds[0]);
    kinds.back().compression = COMPRESSION_LZW;
    kinds.back().profile = textOf(profileOfPrimaries(12));
    kinds.push_back(kinds[0]);
    kinds.back().tile = 16;
    for (const auto& [photometric, channels, bits] :
         {std::tuple(PHOTOMETRIC_SEPARATED, 4, 8), std::tuple(PHOTOMETRIC_SEPARATED, 5, 16), std::tuple(PHOTOMETRIC_RGB, 3, 32),
          std::tuple(PHOTOMETRIC_RGB, 4, 16), std::tuple(PHOTOMETRIC_MINISBLACK, 1, 32)}) {
        RawTiff raw{.width = 9, .height = 7, .channels = channels, .bits = bits, .photometric = static_cast<uint16_t>(photometric)};
        raw.samples.assign(static_cast<size_t>(9 * 7 * channels * bits / 8), uint8_t{60});  // floats: 0.01
        if (photometric != PHOTOMETRIC_SEPARATED) raw.format = SAMPLEFORMAT_IEEEFP;
        if (photometric == PHOTOMETRIC_RGB && channels == 4) raw.extra = EXTRASAMPLE_ASSOCALPHA;
        if (bits == 16) raw.planar = PLANARCONFIG_SEPARATE;
        if (bits == 8) raw.profile = printersProfile();
        kinds.push_back(raw);
    }
    std::vector<std::string> files;
    for (const RawTiff& kind : kinds) files.push_back(encodeTiff(kind));
    return files;
}

std::vector<std::string> heifs(heif_compression_format format) {
    const Image8 image = testImage(32, 24, 3);
    const std::string shot = textOf(exifOf(Shot{.make = "Maker", .focalLength = 5.7, .position = GeoPosition{48.5, 9.25, 100.0}}));
    std::vector<std::string> files{encodeHeif(image, format),
                                   encodeHeif(image, format, {.profile = textOf(profileOfPrimaries(12)), .exif = shot}),
                                   encodeHeif(image, format, {.exif = exifOf(6), .orientation = heif_orientation_rotate_90_cw})};
    for (const int transfer : {16, 18}) files.push_back(encodeHeif(image, format, {.transfer = transfer, .primaries = 9}));
    std::string reserved = files.back();
    reserved.replace(reserved.find("nclx") + 6, 2, "\xff\xff");  // a transfer function that is none
    files.push_back(reserved);
    // libaom in libheif 1.15 ends in an assertion for more than 8 bits.
    if (format == heif_compression_HEVC) files.push_back(encodeHeif(image, format, {.bits = 10, .transfer = 16, .primaries = 9}));
    return files;
}

std::vector<std::string> raws() {
    Dng dng(40, 30);
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x) dng.setGrey(x, y, 0.02 * x);
    std::string orf = dng.content();
    orf.replace(0, 4, "IIRO");
    return {dng.content(), orf};
}

Seeds pictures() {
    Seeds seeds;
    Image8 grey(40, 30, 1);
    for (const int channels : {3, 4}) {
        const Image8 image = testImage(40, 30, channels);
        RawPng png = rawPng(image);
        seeds["png"].push_back(encodePng(png));
        png.interlaced = true;
        seeds["png"].push_back(encodePng(png));
        for (const bool lossless : {true, false}) seeds["webp"].push_back(encodeWebp(image, lossless));
    }
    for (const bool progressive : {false, true}) {
        seeds["jpeg"].push_back(encodeJpeg(testImage(40, 30, 3), 80, progressive));
        seeds["jpeg"].push_back(encodeJpeg(grey, 80, progressive));
    }
    for (const bool asYcck : {false, true}) seeds["jpeg"].push_back(encodeJpeg(testImage(40, 30, 4), 80, false, asYcck));
    for (const int scans : {3, 300, 3000}) seeds["jpeg"].push_back(scannedJpeg(64, 48, scans));
    for (const uint32_t side : {40u, 2000u, 16383u}) seeds["webp"].push_back(plainWebp(side, side));
    const Image8 small = testImage(9, 7, 3);
    for (const std::endian order : {std::endian::big, std::endian::little}) {
        seeds["jpeg"].push_back(jpegWithExif(encodeJpeg(small), exifOf(6, order)));
        seeds["png"].push_back(pngWithExif(encodePng(rawPng(small)), exifOf(5, order)));
        seeds["webp"].push_back(webpWithExif(encodeWebp(small), exifOf(8, order), 9, 7));
    }
    seeds["jpeg"].push_back(jpegWithProfile(encodeJpeg(testImage(40, 30, 4)), printersProfile()));
    seeds["tiff"] = tiffs();
    seeds["heic"] = heifs(heif_compression_HEVC);
    seeds["avif"] = heifs(heif_compression_AV1);
    seeds["raw"] = raws();
    for (const char* codec : {"jpeg", "png", "webp", "tiff", "heic", "avif", "raw"}) {
        seeds["photograph"].insert(seeds["photograph"].end(), seeds[codec].begin(), seeds[codec].end());
        seeds["mask"].insert(seeds["mask"].end(), seeds[codec].begin(), seeds[codec].end());
    }
    seeds["shot"] = seeds["photograph"];
    // Not decoded: LibRaw 0.20 writes behind its buffers for damaged CR3.
    for (const uint32_t orientation : {1u, 6u}) seeds["shot"].push_back(cr3OfBuenosAires(orientation));
    return seeds;
}

Seeds allSeeds(const fs::path& folder) {
    Seeds seeds = pictures();
    for (const auto& [harness, row] : std::map<std::string, std::string>{{"ply", "PLY"},
                                                                         {"compressed_ply", "compressed PLY"},
                                                                         {"spz", "SPZ"},
                                                                         {"splat", ".splat"},
                                                                         {"ksplat", ".ksplat"},
                                                                         {"sog", "SOG"},
                                                                         {"glb", "GLB"},
                                                                         {"gltf", "glTF"},
                                                                         {"usda", "OpenUSD"},
                                                                         {"page", "page"},
                                                                         {"blobs", ".blobs"},
                                                                         {"colmap_splats", "COLMAP points"},
                                                                         {"colmap_text_splats", "COLMAP text points"}}) {
        for (const SplatSample& sample : kSplatSamples.at(row)()) seeds[harness].push_back(sample.content);
    }
    // A model without splats: an error as SPZ. As .splat it is an empty file, which libFuzzer always tries.
    for (const uint32_t version : {3u, 4u}) seeds["spz"].push_back(spzSample(0, version, 3).content);
    seeds["sog_files"] = sogFiles();
    seeds["streamed_sog"] = streamedSogs();
    seeds["points_ply"] = {
        "ply\nformat ascii 1.0\ncomment points\nelement vertex 2\nproperty float x\nproperty double y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n"
        "property list uchar int vertex_indices\nend_header\n1 2 3 4 5 6\n-1e2 +2 .5 0 255 7\n3 0 1 1\n",
        seeds["ply"].front()};
    seeds["colmap_cameras_text"] = {kCamerasText, kOddCamera, kWideCamerasText};
    seeds["colmap_images_text"] = {kImagesText};
    seeds["colmap_points_text"] = {kPointsText};
    seeds["colmap_cameras_binary"] = {camerasBinary()};
    seeds["colmap_images_binary"] = {imagesBinary()};
    seeds["colmap_points_binary"] = {pointsBinary()};
    seeds["colmap_model"] = {std::string(kCamerasText) + "---\n" + kImagesText + "---\n" + kPointsText};
    seeds["transforms"] = {kTransforms, kFisheyes, kPanoramas, kLists};
    seeds["json"] = {kTransforms, kConfig, kCameraFile, std::string(30'000, '[') + std::string(30'000, ']')};
    seeds["config"] = {kConfig};
    seeds["camera_file"] = {kCameraFile};
    seeds["blob_file"] = blobFiles();
    seeds["script"] = {kScript};
    seeds["client_message"] = {kPageMessages.begin(), kPageMessages.end()};
    seeds["checkpoint"] = {checkpoint(folder)};
    seeds["lpips_weights"] = {lpipsWeights(64), lpipsWeights(65)};
    return seeds;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return EXIT_FAILURE;
    const fs::path folder = argv[1];
    fs::create_directories(folder);
    for (const auto& [harness, contents] : allSeeds(folder)) {
        fs::remove_all(folder / harness);
        fs::create_directories(folder / harness);
        for (size_t i = 0; i < contents.size(); ++i) {
            if (contents[i].size() <= kMostBytes) std::ofstream(folder / harness / std::to_string(i), std::ios::binary) << contents[i];
        }
    }
    return EXIT_SUCCESS;
}
