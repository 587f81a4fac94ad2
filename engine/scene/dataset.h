#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "core/image.h"
#include "scene/camera.h"
#include "scene/image_file.h"

namespace splat {

/// Radial and tangential distortion as COLMAP's OPENCV model: k1, k2, p1, p2 (SIMPLE_RADIAL and RADIAL leave the rest at 0).
struct Distortion {
    double k1 = 0, k2 = 0, p1 = 0, p2 = 0;
    bool any() const { return k1 != 0 || k2 != 0 || p1 != 0 || p2 != 0; }
};

/// One photograph: where it is and how it was taken. The camera is that of the file as stored (before undistortion and downscaling).
struct View {
    std::string file{};  ///< path below the dataset's image folder, in the file's own bytes; views are sorted by it
    std::string name{};  ///< the same as text that can be printed and stored anywhere: escapedName(file)
    std::filesystem::path image;
    Camera camera;
    Distortion distortion;
};

/// A structure-from-motion point.
struct Point {
    glm::vec3 position;
    std::array<uint8_t, 3> colour;
};

enum class Split { train, test, all };

/// What a dataset that names its own split uses a view for: possibly both, possibly neither.
struct ViewUse {
    bool train = false, test = false;
    bool operator==(const ViewUse&) const = default;
};
inline constexpr ViewUse kTrainUse{.train = true}, kTestUse{.test = true};

/// What a dataset folder describes, read without opening any image (sizes come from the description or the image's header).
struct Dataset {
    std::filesystem::path path;
    std::string_view format;                 ///< of its description: "colmap" or "transforms"
    std::vector<std::string_view> otherFormats;  ///< other descriptions that the folder has, which were not read
    std::vector<View> views;                 ///< sorted by file
    std::vector<Point> points;               ///< empty when the dataset has none
    std::vector<ViewUse> ownUses;            ///< per view, if the dataset names its own split (transforms_test.json, train_filenames)
};

struct DatasetOptions {
    /// Other folder of the same views (--images), looked for below the dataset first; its files may have other endings and another size.
    /// Empty: the dataset's own.
    std::filesystem::path images;
    /// Which of its descriptions to read where a folder has several: "colmap" or "transforms". Empty: the first of them that it has.
    std::string format;
    /// Names of images may lead out of the dataset's folder.
    bool allowOutside = false;
};

/// What `format` can be, for messages and help: "colmap or transforms".
std::string datasetFormatNames();

/// Throws InputError unless the name is empty or a row of the dataset table.
void checkDatasetFormat(std::string_view name);

/// Reads a COLMAP folder (sparse/0, sparse or the folder itself; binary or text) or transforms*.json; a row of the dataset table recognises it.
/// Throws InputError with the path, the property, what was found and what was expected.
Dataset loadDataset(const std::filesystem::path& path, const DatasetOptions& options = {});

/// Indices of the views of a split: every testEvery-th view by name is a test view, starting with the first (0: none); a dataset's own
/// choice (ownUses) goes before testEvery unless that is 0.
std::vector<size_t> viewsOfSplit(const Dataset& dataset, Split split, int testEvery);

/// Logs which description was read where there are several, and the split where the dataset names its own.
void tellChoices(const Dataset& dataset, int testEvery);

/// What is known of a photograph's pixels beside their colour.
enum class Coverage : uint8_t {
    none,
    alpha,  ///< how opaque they are; their colour is not multiplied by it
    mask,   ///< how much they count: 0 where whatever is rendered is right
};

/// A photograph ready for training or evaluation: undistorted, downscaled, 8 bits RGB. Transparent ones are composited on the background
/// unless they keep their alpha.
struct Photograph {
    std::string name;
    Camera camera;      ///< of these pixels: pinhole
    Image8 image;       ///< 3 channels
    Image8 coverage{};  ///< 1 channel; empty: 255 everywhere
    Coverage covers = Coverage::none;
};

struct PhotographOptions {
    int downscale = 1;              ///< 1, 2, 4 or 8; 0: the smallest of these at which the longer side is at most 1600 pixels
    glm::vec3 background{0, 0, 0};  ///< 0..1, behind transparent pixels
    bool keepAlpha = false;         ///< leave transparent pixels for composited() or the loss; not where the dataset has masks
    bool masks = true;              ///< use the dataset's masks where it has them
    uint32_t megapixels = kDefaultMegapixels;    ///< a file that claims more million pixels is refused
    uint64_t loadingBytes = uint64_t{2} << 30u;  ///< memory that the loading threads share; what takes more is loaded alone
};

/// Loads the chosen views on all cores; progress(done, total) is called from any thread, one call at a time.
std::vector<Photograph> loadPhotographs(const Dataset& dataset, const std::vector<size_t>& views, const PhotographOptions& options,
                                        const std::function<void(size_t, size_t)>& progress = {});

/// The photograph's pixels, over the background where they are transparent.
Image8 composited(const Photograph& photograph, glm::vec3 background);

/// A render with the photograph's pixels where those do not count, in proportion to its mask.
Image8 masked(Image8 render, const Photograph& photograph);

}  // namespace splat
