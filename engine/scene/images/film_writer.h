#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/images/image_file.h>

namespace splat {

/// A kind of film.
struct FilmFormat {
    std::string_view name;           ///< ffmpeg's, and the extension of files
    std::string_view codec;          ///< for messages and help
    std::string_view ffmpegOptions;  ///< separated by blanks
};
extern const FilmFormat kMp4Film, kWebmFilm;

struct Film {
    const FilmFormat& format;
    ImageSize size;     ///< at least 2x2
    uint32_t rate = 0;  ///< frames per second
};

/// The next frame, of 3 channels; none after the last.
using NextFrame = std::function<std::optional<Image8>()>;

/// Throws Error with the packages that have ffmpeg if it is not on the PATH.
void requireFfmpeg();

/// Hands frames on to ffmpeg as they come, for a temporary that is renamed in the end. Colours are BT.709 in 4:2:0, so odd sides lose their last row
/// or column. Throws Error with ffmpeg's last lines if it fails, and what `next` throws; then the path is unchanged.
void writeFilm(const std::filesystem::path& path, const Film& film, const NextFrame& next);

}  // namespace splat
