#pragma once

#include <filesystem>
#include <string_view>

namespace splat::app {

/// A kind of file that the viewer writes: its ending, and a description for messages.
struct WrittenFile {
    std::string_view ending;
    std::string_view what;
};
inline constexpr WrittenFile kPng{".png", "pictures are written as PNG"};
inline constexpr WrittenFile kCheckpoint{".splat-ckpt", "that is what `train --resume` reads"};
inline constexpr WrittenFile kProject{".splatproject", "that is what the viewer opens as a project"};

/// Whether a file's name has this ending, ignoring case. A compressed PLY is another format than a PLY.
bool endsIn(const std::filesystem::path& path, std::string_view ending);

/// Throws InputError for a name with another ending.
void expectEnding(const std::filesystem::path& path, const WrittenFile& file);

/// Whether both paths are of one file that is there.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace splat::app
