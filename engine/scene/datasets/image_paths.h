#pragma once

#include <filesystem>
#include <string>

namespace splat {

/// The file itself if there is one; else the same name with one of the usual endings added or put in place of its own, as the NeRF
/// datasets leave the ending out and rescaled folders often change it; else the path as it was, for the message that it is missing.
std::filesystem::path findImage(const std::filesystem::path& wanted);

/// The folder that --images names: below the dataset where there is such a folder, else as it stands.
std::filesystem::path otherImageFolder(const std::filesystem::path& dataset, const std::filesystem::path& images);

/// A name that is safe to join to any folder: without root, "." and "..".
std::string safeName(const std::filesystem::path& path);

/// Which files the names in a dataset may lead to.
struct PathBounds {
    std::filesystem::path dataset;  ///< its folder
    std::filesystem::path images;   ///< another folder whose files are the dataset's as well; empty: none
    bool allowOutside = false;      ///< --allow-outside: any file
};

/// A path that a dataset's file names, relative to `folder` or absolute, as written but normalised and with slashes for backslashes. Throws
/// InputError, starting with `what`, for a path that leads out of the bounds, has a zero byte or is longer than a path can be. Only the text
/// counts: symbolic links are followed, since whoever set the dataset up made them.
std::filesystem::path checkedPath(const std::string& what, const std::string& name, const std::filesystem::path& folder,
                                  const PathBounds& bounds);

/// The path of a file as it is called below a folder, made safe.
std::string nameBelow(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace splat
