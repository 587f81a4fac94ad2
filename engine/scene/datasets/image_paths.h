#pragma once

#include <filesystem>
#include <string>

namespace splat {

/// The path of an existing file: the path itself, or with a usual image ending added or substituted, because NeRF datasets omit the ending and
/// rescaled folders often change it. Returns the path unchanged if there is none, for the error message.
std::filesystem::path findImage(const std::filesystem::path& wanted);

/// The folder that --images names: below the dataset if it exists there, else the path itself.
std::filesystem::path otherImageFolder(const std::filesystem::path& dataset, const std::filesystem::path& images);

/// A name that is safe to join to any folder: without root, "." and "..".
std::string safeName(const std::filesystem::path& path);

/// The folders that names in a dataset may refer to.
struct PathBounds {
    std::filesystem::path dataset;  ///< the dataset's folder
    std::filesystem::path images;   ///< an additional image folder; empty: none
    bool allowOutside = false;      ///< --allow-outside: any file
};

/// A path from a dataset's file, relative to `folder` or absolute, normalised and with slashes for backslashes. Throws InputError, starting with
/// `what`, for a path that leaves the bounds, contains a zero byte or is too long. Only the text is checked; symbolic links in the dataset are
/// trusted.
std::filesystem::path checkedPath(const std::string& what, const std::string& name, const std::filesystem::path& folder,
                                  const PathBounds& bounds);

/// The path of a file relative to a folder, made safe.
std::string nameBelow(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace splat
