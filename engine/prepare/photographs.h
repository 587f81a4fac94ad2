#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <splatwright/prepare/observer.h>
#include <splatwright/scene/image_file.h>

namespace splat::prepare {

/// A photograph below a folder.
struct Photograph {
    std::string name;  ///< path below the folder, in the file's own bytes
    ImageSize size{};  ///< as stored
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

/// Lists JPEG, PNG and WebP files and decodes each once; hidden files, and folders of masks and depths, are skipped. Throws InputError if the
/// folder has too few photographs, with how to convert files of other formats.
PhotographFolder listPhotographs(const std::filesystem::path& folder, Observer& observer);

/// Fewer give no poses.
inline constexpr size_t kFewestPhotographs = 3;

/// Throws InputError if there are fewer than kFewestPhotographs.
void requirePhotographs(const std::filesystem::path& path, size_t found);

/// Groups of names with one camera each: photographs of one folder and one size.
std::vector<std::vector<std::string>> cameraGroups(const std::vector<Photograph>& photographs);

/// Replaces a file by a hard link, or a copy where there cannot be one. Throws Error naming `to`.
void place(const std::filesystem::path& from, const std::filesystem::path& to);

/// Puts the photographs into `images` and their masks, as NAME.png, into `masks`, by place().
void placePhotographs(const PhotographFolder& from, const std::filesystem::path& images, const std::filesystem::path& masks,
                      Observer& observer);

}  // namespace splat::prepare
