#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <splatwright/prepare/observer.h>
#include <splatwright/prepare/sharpness.h>
#include <splatwright/scene/images/image_file.h>

namespace splat::prepare {

/// ffmpeg's programs, and the log that their lines are appended to.
struct VideoTools {
    std::filesystem::path ffmpeg, ffprobe, log;
    std::string everyFrame;  ///< option that takes "passthrough", so that no frame is repeated or dropped
};

/// The programs on the PATH; ffmpeg is asked for its options. Throws Error with their packages if they are missing.
VideoTools findVideoTools(const std::filesystem::path& log, Observer& observer);

/// A video's first stream as it is shown.
struct Video {
    std::filesystem::path path;
    ImageSize size{};
    uint64_t frames = 0;  ///< as the file says; 0: it does not say
};

/// Asks ffprobe. Throws InputError, with what it says, for a file without a stream of pictures.
Video probeVideo(const VideoTools& tools, const std::filesystem::path& path, Observer& observer);

/// Decodes all frames, small and grey, and looks at each. Throws InputError if there is none, Error if ffmpeg does not get to the end.
std::vector<FrameLook> lookAtFrames(const VideoTools& tools, const Video& video, Observer& observer);

/// Names of so many frames that are exported: frame_00001.jpg, ...
std::vector<std::string> frameNames(size_t count);

/// Writes the frames with these indices into a new folder, in one pass, and returns their names. Throws Error.
std::vector<std::string> exportFrames(const VideoTools& tools, const Video& video, const std::vector<size_t>& frames,
                                      const std::filesystem::path& folder, Observer& observer);

}  // namespace splat::prepare
