#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <splatwright/prepare/observer.h>
#include <splatwright/scene/images/image_file.h>

namespace splat::prepare {

/// A photograph below a folder.
struct Photograph {
    std::string name;       ///< path below the dataset's images, in the file's own bytes
    ImageSize size{};       ///< as stored there
    std::string content{};  ///< hash of the file and its mask
    std::string source{};   ///< path of another file below the folder, of which `name` is made; empty: `name` itself

    const std::string& file() const { return source.empty() ? name : source; }
};

/// A photograph that cannot be used, and why.
struct LeftOut {
    std::string name, reason;
};

/// The photographs of a folder and its sub-folders, sorted by name.
struct PhotographFolder {
    std::filesystem::path images;  ///< the folder that names are below: the given one, or `images` in it
    std::filesystem::path masks;   ///< `masks` beside or in it; empty: none
    std::vector<Photograph> photographs;
    std::vector<LeftOut> leftOut;
};

/// Whether a path below the folder is a folder or a picture that is no input, such as one of an earlier result.
using IsSkipped = std::function<bool(const std::filesystem::path&)>;

/// Lists photographs of every format that is read (file_endings.h), without reading them. HEIC, AVIF, TIFF and raw files get the name of the JPEG or PNG
/// that placePhotographs() makes of them. Skipped are those of which there is a photograph as well, as cameras store both, hidden files, folders of
/// masks and depths, datasets that were prepared before, and what `skips` names. Throws InputError for a folder that cannot be listed.
PhotographFolder findPhotographs(const std::filesystem::path& folder, const IsSkipped& skips = {});

/// Decodes each photograph once, and moves those that cannot be used to `leftOut`. Throws InputError, naming these, if too few are left.
void decodePhotographs(PhotographFolder& folder, Observer& observer);

/// File of a photograph's mask; empty if it has none.
std::filesystem::path maskOf(const PhotographFolder& folder, const Photograph& photograph);

/// Fewer give no poses.
inline constexpr size_t kFewestPhotographs = 3;

/// Groups of names with one camera each: photographs of one folder and one size.
std::vector<std::vector<std::string>> cameraGroups(const std::vector<Photograph>& photographs);

/// Makes a new file: a hard link, or a copy where there cannot be one. Throws Error naming `to`.
void place(const std::filesystem::path& from, const std::filesystem::path& to);

/// Puts the photographs into a new folder `images` and their masks, as NAME.png, into `masks`, by place(). Those with another source are converted: turned
/// as they are shown, with colours in sRGB, to JPEG with the focal length and position of their EXIF, or with transparency to PNG.
void placePhotographs(const PhotographFolder& from, const std::filesystem::path& images, const std::filesystem::path& masks,
                      Observer& observer);

}  // namespace splat::prepare
