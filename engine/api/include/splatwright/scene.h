#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <splatwright/error.h>

/// Splats, cameras, images and datasets in the memory of the host, and their files. Nothing here uses a GPU. Values are plain: any code may fill, change and
/// copy them; functions that take them check them.
///
/// Axes are COLMAP's: of a camera x right, y down, z forward. Units of length are the scene's own.
namespace splatwright {

using Vec3f = std::array<float, 3>;
using Vec4f = std::array<float, 4>;
using Vec3d = std::array<double, 3>;
using Mat3d = std::array<std::array<double, 3>, 3>;  ///< [row][column]

// --- Splats ---

/// N splats (3D Gaussians; Kerbl et al. 2023) in the parametrisation of 3DGS PLY files, so that files and training keep every bit. Splats with a number
/// that is not finite, a zero rotation or a scale whose square overflows are kept but not drawn.
struct Splats {
    int shDegree = 0;                   ///< degree D of the spherical harmonics, 0 to 3
    bool antialiased = false;           ///< to be drawn with Mip-Splatting's 2D filter (Yu et al. 2024), as they were trained
    std::vector<Vec3f> positions;       ///< N centres, scene units
    std::vector<Vec3f> logScales;       ///< N; exp() of each is the standard deviation along an own axis, scene units
    std::vector<Vec4f> rotations;       ///< N quaternions (w, x, y, z) from own axes to the scene's, of any length but 0
    std::vector<float> logitOpacities;  ///< N; 1 / (1 + exp(-l)) is the opacity, 0 to 1
    /// N * (D + 1)^2 RGB coefficients: that of k of splat i at [i * (D + 1)^2 + k], in the order and with the signs of 3DGS. Colour is 0.5 + their sum,
    /// at least 0; 1 is white as the training images store it (sRGB).
    std::vector<Vec3f> sh;

    size_t size() const { return positions.size(); }
};

/// A file format of splats.
struct SplatFormat {
    std::string name;       ///< "PLY"
    std::string extension;  ///< ".ply"
    std::string help;       ///< origin, and what is lost in it
    bool writes = false;    ///< whether writeSplats() can; readSplats() reads all
};
std::vector<SplatFormat> splatFormats();

/// Reads splats of any format of splatFormats(), recognised by content, else by extension. Throws InputError naming path, property, found and expected.
Splats readSplats(const std::filesystem::path& path);

/// Writes splats in the format of the path's extension, to a temporary file that is then renamed. Throws InputError for a format that is not written and
/// for arrays whose lengths do not fit; Error if the file cannot be written.
void writeSplats(const std::filesystem::path& path, const Splats& splats);

// --- Images ---

/// Pixels in rows from the top, channels interleaved: that of (x, y) and channel c is pixels[(y * width + x) * channels + c].
template <class T>
struct Image {
    int width = 0, height = 0, channels = 0;
    std::vector<T> pixels;  ///< width * height * channels
};
using Image8 = Image<uint8_t>;  ///< 0 to 255
using ImageF = Image<float>;    ///< 0 to 1 from black to white, more is possible; encoded as the training images are (sRGB)

/// Rounds to 0..255, as image files of `splatwright render` have it: values are limited to 0..1 before, NaN becomes 0. Throws InputError if the number
/// of pixels does not fit.
Image8 quantised(const ImageF& image);

/// Reads a JPEG, PNG, WebP, TIFF, HEIC, AVIF or raw file as stored: 3 channels, or 4 with alpha. Throws InputError naming the path.
Image8 readImage(const std::filesystem::path& path);

/// Writes 3 or 4 channels as PNG, to a temporary file that is then renamed. Throws InputError for other channels or sizes; Error if the file cannot be
/// written.
void writePng(const std::filesystem::path& path, const Image8& image);

// --- Cameras ---

/// A pinhole camera. The point p of the scene is rotation * p + translation in its frame; the centre of pixel (x, y) is (x + 0.5, y + 0.5). Functions that
/// take one throw InputError for sides outside of 1 to 8192, focal lengths outside of 0.001 to 1e6 longer sides, a principal point farther than ten
/// sides outside, a rotation that is not orthonormal within 0.001, and coordinates beyond 1e12.
struct Camera {
    int width = 0, height = 0;  ///< pixels
    double fx = 0, fy = 0;      ///< focal lengths, pixels
    double cx = 0, cy = 0;      ///< principal point, pixels from the left and top edge
    Mat3d rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3d translation{0, 0, 0};

    bool operator==(const Camera&) const = default;
};

/// Where a camera is in the scene.
Vec3d positionOf(const Camera& camera);

/// A camera at `eye` that has `target` in the centre of its image and `up` upwards there. focal: pixels. Throws InputError if the three are on a line,
/// and for what Camera says.
Camera lookAt(const Vec3d& eye, const Vec3d& target, const Vec3d& up, double focal, int width, int height);

/// The same view with another number of pixels.
Camera resized(const Camera& camera, int width, int height);

/// A circle of cameras around the splats' weighted centre that shows most of them, as `splatwright render --orbit`. `up` has any length but 0; the
/// default is that of datasets. Throws InputError.
std::vector<Camera> orbit(const Splats& splats, size_t views, int width, int height, const Vec3d& up = {0, -1, 0});

/// A camera and the name of its image, without a file ending.
struct NamedCamera {
    std::string name;
    Camera camera;
};

/// Reads the cameras of a JSON file as `splatwright render --camera` takes it (its help describes it). Throws InputError.
std::vector<NamedCamera> readCameras(const std::filesystem::path& path);

/// Writes a file that readCameras() reads to the last bit. Throws InputError for a camera as Camera says; Error if the file cannot be written.
void writeCameras(const std::filesystem::path& path, const std::vector<NamedCamera>& cameras);

// --- Datasets ---

/// How a dataset is read; the defaults are those of the command line.
struct DatasetOptions {
    std::filesystem::path images;  ///< another folder of images for the same views, such as images_4; empty: the dataset's own
    std::string format;            ///< "colmap" or "transforms", if the folder has both; empty: the first that it has
    bool allowOutside = false;     ///< whether names of images may lead out of the dataset's folder
    double blankPixels = 0;  ///< of undistorted images, 0 to 1; 0: as large as possible without blank pixels, 1: all of the photograph
    double maxScale = 2;     ///< largest side of an undistorted image, in sides of the photograph, 0.2 to 16
};

struct DatasetView {
    std::string name;             ///< one line of UTF-8, unique; of a face of a panorama with the face
    std::filesystem::path image;  ///< the file
    Camera camera;                ///< of the undistorted image, at full size, in the dataset's frame
    bool trains = false;          ///< whether `splatwright train` learns from it
    bool tests = false;           ///< whether it compares its result with it
};

/// A point of structure from motion.
struct Point {
    Vec3f position;
    std::array<uint8_t, 3> colour;  ///< RGB
};

struct Dataset {
    std::string format;              ///< "colmap" or "transforms"
    std::vector<DatasetView> views;  ///< sorted by name
    std::vector<Point> points;       ///< empty: the dataset has none
};

/// Reads a COLMAP folder, or one with transforms*.json (NeRF-synthetic, nerfstudio), without its images. Every testEvery-th view is for tests unless the
/// dataset has a split of its own; 0: all views train. Throws InputError naming path, property, found and expected.
Dataset readDataset(const std::filesystem::path& path, const DatasetOptions& options = {}, int testEvery = 8);

}  // namespace splatwright
