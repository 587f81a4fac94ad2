#include <splatwright/prepare/video.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <splatwright/core/child_process.h>
#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/read_number.h>
#include <splatwright/core/tools.h>
#include <splatwright/prepare/colmap.h>

namespace splat::prepare {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kLookWidth = 640;  // pixels of frames that are looked at; larger ones cost more than they tell

/// The path as ffmpeg takes it for a file, whatever it is called.
std::string asFile(const fs::path& path) { return "file:" + fs::absolute(path).string(); }

ChildResult runTool(std::vector<std::string> arguments, const VideoTools& tools, Observer& observer,
                    std::function<void(std::span<const std::byte>)> onOutput = {}, std::function<void(std::string_view)> onLine = {}) {
    return runChild(
        {.arguments = std::move(arguments), .log = tools.log, .onLine = std::move(onLine), .onOutput = std::move(onOutput), .check = [&] {
             observer.check();
         }});
}

/// A number that ffprobe writes as text, or 0.
double numberOf(const json& object, const char* key) {
    const auto found = object.find(key);
    double number = 0;
    if (found != object.end() && found->is_string() && !readNumber(found->get_ref<const std::string&>(), number)) return 0;
    return std::isfinite(number) ? number : 0;
}

/// "30000/1001", or 0.
double rateOf(const json& stream) {
    const std::string text = stream.contains("avg_frame_rate") ? stream["avg_frame_rate"].dump() : "";
    double above = 0, below = 0;
    const size_t slash = text.find('/');
    if (slash == std::string::npos || text.size() < 3) return 0;
    const bool read = readNumber(std::string_view(text).substr(1, slash - 1), above) &&
                      readNumber(std::string_view(text).substr(slash + 1, text.size() - slash - 2), below);
    return read && below > 0 ? above / below : 0;
}

/// Whether the stream is shown turned by a quarter, as phones store what they take upright.
bool isTurned(const json& stream) {
    for (const json& data : stream.value("side_data_list", json::array())) {
        if (data.is_object() && data.contains("rotation") && data["rotation"].is_number())
            return std::lround(data["rotation"].get<double>() / 90) % 2 != 0;
    }
    return false;
}

/// Puts bytes together to frames.
class FrameBytes {
public:
    FrameBytes(ImageSize size, std::vector<FrameLook>& looks) : frame_(size.width, size.height, 1), looks_(looks) {}

    void add(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const size_t count = std::min(bytes.size(), frame_.pixels.size() - filled_);
            std::ranges::transform(bytes.first(count), frame_.pixels.begin() + static_cast<std::ptrdiff_t>(filled_),
                                   [](std::byte b) { return std::to_integer<uint8_t>(b); });
            bytes = bytes.subspan(count);
            filled_ = (filled_ + count) % frame_.pixels.size();
            if (filled_ == 0) looks_.push_back(lookOf(frame_));
        }
    }

private:
    Image8 frame_;
    std::vector<FrameLook>& looks_;
    size_t filled_ = 0;
};

/// ffmpeg's expression that is not 0 for these frames. A sum of more than a hundred terms is nested too deep for ffmpeg, so it is a search tree.
std::string selection(std::span<const size_t> frames) {
    if (frames.size() == 1) return fmt::format("eq(n\\,{})", frames[0]);
    const size_t half = frames.size() / 2;
    return fmt::format("if(lt(n\\,{})\\,{}\\,{})", frames[half], selection(frames.first(half)), selection(frames.subspan(half)));
}

/// What leads to one output. Frames are neither repeated nor dropped, so that their indices are the same in both passes, and turned as they are shown.
std::vector<std::string> outputOf(const VideoTools& tools, const std::string& filter) {
    return {"-map", "0:v:0", "-vf", filter, '-' + tools.everyFrame, "passthrough"};
}

std::vector<std::string> inputOf(const VideoTools& tools, const Video& video) {
    return {tools.ffmpeg.string(), "-nostdin", "-v", "error", "-i", asFile(video.path)};
}

void append(std::vector<std::string>& arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
}

}  // namespace

VideoTools findVideoTools(const fs::path& log, Observer& observer) {
    VideoTools tools{.ffmpeg = requireTool("ffmpeg"), .ffprobe = requireTool("ffprobe"), .log = log, .everyFrame = "vsync"};
    // ffmpeg 5.1 brought -fps_mode, and later versions have no -vsync.
    runTool({tools.ffmpeg.string(), "-hide_banner", "-h", "long"}, {}, observer, {}, [&](std::string_view line) {
        if (line.starts_with("-fps_mode")) tools.everyFrame = "fps_mode";
    });
    return tools;
}

Video probeVideo(const VideoTools& tools, const fs::path& path, Observer& observer) {
    if (const std::string why = whyNotReadable(path); !why.empty()) throw InputError("{}: {}", path.string(), why);
    std::string text;
    const ChildResult result = runTool(
        {tools.ffprobe.string(), "-v", "error", "-select_streams", "v:0", "-show_streams", "-show_format", "-of", "json", asFile(path)},
        tools, observer, [&](std::span<const std::byte> bytes) { text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); });
    if (!result.succeeded())
        throw InputError("{}: ffprobe cannot read it ({}), expected a video:\n  {}", path.string(), result.ending(),
                         indented(result.lastLines));
    const json probe = parseJson(text, "ffprobe's description of " + path.string());
    const json streams = probe.value("streams", json::array());
    const auto isSide = [](const json& value) { return value.is_number_integer() && value > 0 && value <= 65536; };
    const bool readable = !streams.empty() && streams[0].is_object() && streams[0].contains("width") && isSide(streams[0]["width"]) &&
                          streams[0].contains("height") && isSide(streams[0]["height"]);
    if (!readable) throw InputError("{}: found no stream of pictures, expected a video", path.string());
    const json& stream = streams[0];
    Video video{.path = path, .size = {stream["width"].get<int>(), stream["height"].get<int>()}};
    if (isTurned(stream)) std::swap(video.size.width, video.size.height);
    const double seconds = probe.contains("format") ? numberOf(probe["format"], "duration") : 0;
    const double counted = numberOf(stream, "nb_frames"), frames = counted > 0 ? counted : seconds * rateOf(stream);
    video.frames = static_cast<uint64_t>(std::clamp(frames, 0.0, 1e9));
    return video;
}

std::vector<FrameLook> lookAtFrames(const VideoTools& tools, const Video& video, Observer& observer) {
    observer.onStage("frames", video.frames);
    // At most kLookWidth columns, and at least a thumbnail's sides.
    const double scale = std::min(1.0, kLookWidth / static_cast<double>(std::max(video.size.width, video.size.height)));
    const auto side = [&](int full, int least) { return std::max(least, static_cast<int>(std::lround(full * scale))); };
    const ImageSize size{side(video.size.width, kThumbnailWidth), side(video.size.height, kThumbnailHeight)};
    std::vector<FrameLook> looks;
    FrameBytes frames(size, looks);
    auto arguments = inputOf(tools, video);
    append(arguments, outputOf(tools, fmt::format("scale={}:{}:flags=area,format=gray", size.width, size.height)));
    append(arguments, {"-f", "rawvideo", "-pix_fmt", "gray", "-"});
    const ChildResult result = runTool(std::move(arguments), tools, observer, [&](std::span<const std::byte> bytes) {
        frames.add(bytes);
        observer.onProgress(looks.size());
    });
    if (looks.empty())
        throw InputError("{}: ffmpeg decoded no frame ({}), expected a video:\n  {}", video.path.string(), result.ending(),
                         indented(result.lastLines));
    requireSuccess(result, fmt::format("ffmpeg, after {} frames,", looks.size()), tools.log);
    return looks;
}

std::vector<std::string> frameNames(size_t count) {
    std::vector<std::string> names;
    for (size_t i = 1; i <= count; ++i) names.push_back(fmt::format("frame_{:05}.jpg", i));
    return names;
}

std::vector<std::string> exportFrames(const VideoTools& tools, const Video& video, const std::vector<size_t>& frames,
                                      const fs::path& folder, Observer& observer) {
    observer.onStage("export", frames.size());
    // All frames in one pass, in several outputs: the system limits the length of an argument (131,072 bytes in Linux).
    constexpr size_t kFramesEach = 1000;  // of about 30 bytes
    std::string pattern = asFile(folder / "frame_");
    for (size_t at = 0; (at = pattern.find('%', at)) != std::string::npos; at += 2) pattern.insert(at, "%");
    std::vector<std::string> arguments = inputOf(tools, video);
    append(arguments, {"-progress", "pipe:1"});
    for (size_t first = 0; first < frames.size(); first += kFramesEach) {
        const auto part = std::span(frames).subspan(first, std::min(kFramesEach, frames.size() - first));
        append(arguments, outputOf(tools, "select=" + selection(part)));
        append(arguments, {"-qscale:v", "2", "-start_number", std::to_string(first + 1), pattern + "%05d.jpg"});
    }
    std::vector<std::string> names = frameNames(frames.size());
    const auto isWritten = [&](size_t i) {
        std::error_code ignored;
        return fs::exists(folder / names[i], ignored);
    };
    size_t written = 0;
    const auto onProgress = [&](std::span<const std::byte>) {  // which counts the frames of the first output only
        while (written < names.size() && isWritten(written)) ++written;
        observer.onProgress(written);
    };
    requireSuccess(runTool(std::move(arguments), tools, observer, onProgress), "ffmpeg", tools.log);
    for (size_t i = 0; i < names.size(); ++i) {
        if (!isWritten(i)) throw Error("{}: ffmpeg did not write it", (folder / names[i]).string());
    }
    return names;
}

}  // namespace splat::prepare
