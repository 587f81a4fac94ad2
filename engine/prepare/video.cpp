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

Video videoOf(const fs::path& path, const json& probe) {
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

/// Frames that are looked at have at most kLookWidth columns, and at least a thumbnail's sides.
ImageSize lookSize(ImageSize size) {
    const double scale = std::min(1.0, kLookWidth / static_cast<double>(std::max(size.width, size.height)));
    const auto side = [&](int full, int least) { return std::max(least, static_cast<int>(std::lround(full * scale))); };
    return {side(size.width, kThumbnailWidth), side(size.height, kThumbnailHeight)};
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

std::vector<std::string> decoding(const VideoTools& tools, const Video& video, const std::string& filter) {
    // Frames are neither repeated nor dropped, so that their indices are the same in both passes. ffmpeg turns them as they are shown.
    return {tools.ffmpeg.string(), "-nostdin", "-v", "error", "-i", asFile(video.path), "-map", "0:v:0", "-vf", filter, "-vsync",
            "passthrough"};
}

}  // namespace

Video probeVideo(const VideoTools& tools, const fs::path& path, Observer& observer) {
    if (const std::string why = whyNotReadable(path); !why.empty()) throw InputError("{}: {}", path.string(), why);
    std::string text;
    const ChildResult result = runTool(
        {tools.ffprobe.string(), "-v", "error", "-select_streams", "v:0", "-show_streams", "-show_format", "-of", "json", asFile(path)},
        tools, observer, [&](std::span<const std::byte> bytes) { text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); });
    if (!result.succeeded())
        throw InputError("{}: ffprobe cannot read it ({}), expected a video:\n  {}", path.string(), result.ending(),
                         indented(result.lastLines));
    return videoOf(path, parseJson(text, "ffprobe's description of " + path.string()));
}

std::vector<FrameLook> lookAtFrames(const VideoTools& tools, const Video& video, Observer& observer) {
    observer.onStage("frames", video.frames);
    const ImageSize size = lookSize(video.size);
    std::vector<FrameLook> looks;
    FrameBytes frames(size, looks);
    auto arguments = decoding(tools, video, fmt::format("scale={}:{}:flags=area,format=gray", size.width, size.height));
    for (const char* more : {"-f", "rawvideo", "-pix_fmt", "gray", "-"}) arguments.emplace_back(more);
    const ChildResult result = runTool(std::move(arguments), tools, observer, [&](std::span<const std::byte> bytes) {
        frames.add(bytes);
        observer.onProgress(looks.size());
    });
    if (looks.empty())
        throw InputError("{}: ffmpeg decoded no frame ({}), expected a video:\n  {}", video.path.string(), result.ending(),
                         indented(result.lastLines));
    return looks;
}

std::vector<std::string> exportFrames(const VideoTools& tools, const Video& video, const std::vector<size_t>& frames,
                                      const fs::path& folder, Observer& observer) {
    observer.onStage("export", frames.size());
    std::string pattern = asFile(folder / "frame_");
    for (size_t at = 0; (at = pattern.find('%', at)) != std::string::npos; at += 2) pattern.insert(at, "%");
    auto arguments = decoding(tools, video, "select=" + selection(frames));
    for (const char* more : {"-qscale:v", "2", "-progress", "pipe:2"}) arguments.emplace_back(more);
    arguments.push_back(pattern + "%05d.jpg");
    const ChildResult result = runTool(std::move(arguments), tools, observer, {}, [&](std::string_view line) {
        uint64_t done = 0;
        if (line.starts_with("frame=") && readNumber(line.substr(6), done)) observer.onProgress(std::min<uint64_t>(done, frames.size()));
    });
    requireSuccess(result, "ffmpeg", tools.log);
    std::vector<std::string> names;
    for (size_t i = 1; i <= frames.size(); ++i) {
        names.push_back(fmt::format("frame_{:05}.jpg", i));
        if (!fs::exists(folder / names.back())) throw Error("{}: ffmpeg did not write it", (folder / names.back()).string());
    }
    return names;
}

}  // namespace splat::prepare
