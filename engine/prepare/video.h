#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <splatwright/prepare/observer.h>
#include <splatwright/prepare/sharpness.h>
#include <splatwright/scene/image_file.h>

namespace splat::prepare {

/// ffmpeg's programs, and the log that their lines are appended to.
struct VideoTools {
    std::filesystem::path ffmpeg, ffprobe, log;
};

/// A video's first stream as it is shown.
struct Video {
    std::filesystem::path path;
    ImageSize size{};
    uint64_t frames = 0;  ///< as the file says; 0: it does not say
};

/// Asks ffprobe. Throws InputError, with what it says, for a file without a stream of pictures.
Video probeVideo(const VideoTools& tools, const std::filesystem::path& path, Observer& observer);

/// Decodes all frames, small and grey, and looks at each. Throws InputError if there is none.
std::vector<FrameLook> lookAtFrames(const VideoTools& tools, const Video& video, Observer& observer);

/// Writes the frames with these indices into a folder, as frame_00001.jpg, ..., in one pass, and returns the names. Throws Error.
std::vector<std::string> exportFrames(const VideoTools& tools, const Video& video, const std::vector<size_t>& frames,
                                      const std::filesystem::path& folder, Observer& observer);

}  // namespace splat::prepare
