#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/cameras/lens_models.h>
#include <splatwright/scene/gaussians/point.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {

/// A view: an image file, or a face of the cube around a panorama (distortion.face), and its camera. The camera is that of the file's pixels as they
/// are shown, before undistortion and downscaling.
struct View {
    std::string file{};  ///< path below the dataset's image folder, in the file's own bytes; views are sorted by it
    std::string name{};  ///< the same as text that can be printed and stored anywhere: escapedName(file), and of a panorama `/FACE`
    std::filesystem::path image;
    Camera camera;
    Distortion distortion;
    std::vector<uint32_t> points{};  ///< indices of the dataset's points that it observes, ascending, if the format has tracks
    /// Of a single picture. Images with poses are used as stored, because their cameras are those of stored pixels; their EXIF is not read.
    Orientation orientation = Orientation::stored;
};

enum class Split { train, test, all };

/// What a dataset's own split uses a view for: both, one or neither.
struct ViewUse {
    bool train = false, test = false;
    bool operator==(const ViewUse&) const = default;
};
inline constexpr ViewUse kTrainUse{.train = true}, kTestUse{.test = true};

/// Size of undistorted images, as COLMAP's image_undistorter chooses it. Does not concern the faces of panoramas.
struct UndistortOptions {
    static constexpr float kMinScale = 0.2f;  ///< of the undistorted image's sides, relative to the photograph's
    static constexpr float kMostMaxScale = 16;

    float blankPixels = 0;  ///< 0: as large as possible without blank pixels, 1: shows all of the photograph
    float maxScale = 2;     ///< as kMinScale; kMinScale to kMostMaxScale
};

/// Contents of a dataset folder, read without decoding images (sizes come from the description or the image's header).
struct Dataset {
    std::filesystem::path path;
    std::string_view format;                     ///< "colmap" or "transforms"
    std::vector<std::string_view> otherFormats;  ///< further descriptions in the folder, not read
    std::vector<View> views;                     ///< sorted by file
    std::vector<Point> points;                   ///< empty if the dataset has none
    std::vector<ViewUse> ownUses;                ///< per view, if the dataset names its own split (transforms_test.json, train_filenames)
    UndistortOptions undistort{};
};

struct DatasetOptions {
    /// Another image folder for the same views (--images), below the dataset if it exists there; file endings and sizes may differ. Empty: the
    /// dataset's own.
    std::filesystem::path images;
    /// Description to read if a folder has several: "colmap" or "transforms". Empty: the first that it has. kPictureFormat: the path is an image
    /// (scene/datasets/picture.h).
    std::string format;
    /// Names of images may lead out of the dataset's folder.
    bool allowOutside = false;
    UndistortOptions undistort{};
};

/// Values of `format` for messages and help: "colmap or transforms".
std::string datasetFormatNames();

/// Throws InputError unless the name is empty or a row of the dataset table.
void checkDatasetFormat(std::string_view name);

/// Whether a path looks like a dataset with poses.
bool isDataset(const std::filesystem::path& path);

/// Reads a COLMAP folder (sparse/0, sparse or the folder itself; binary or text) or transforms*.json, recognised by the dataset table.
/// Throws InputError with the path, the property, what was found and what was expected.
Dataset loadDataset(const std::filesystem::path& path, const DatasetOptions& options = {});

/// Indices of the views of a split: every testEvery-th view, sorted by name and starting with the first, is a test view (0: none); the
/// six faces of a panorama count as one. A dataset's own split (ownUses) takes precedence unless testEvery is 0.
std::vector<size_t> viewsOfSplit(const Dataset& dataset, Split split, int testEvery);

/// Logs which of several descriptions was read, and the dataset's own split if it has one.
void tellChoices(const Dataset& dataset, int testEvery);

}  // namespace splat
