#include <splatwright/scene/images/film_writer.h>

#include <sstream>

#include <splatwright/core/child_process.h>
#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/tools.h>

namespace splat {

namespace fs = std::filesystem;

// Qualities at which nothing is seen of the encoding. An MP4's index goes to its front, so that it plays while it loads.
const FilmFormat kMp4Film{.name = "mp4", .codec = "H.264", .ffmpegOptions = "-c:v libx264 -preset medium -crf 18 -movflags +faststart"};
const FilmFormat kWebmFilm{
    .name = "webm", .codec = "VP9", .ffmpegOptions = "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -deadline good -cpu-used 4"};

namespace {

/// A file beside the path, which is removed unless it takes the path's place.
class Temporary {
public:
    explicit Temporary(const fs::path& path) : target_(path), path_(temporaryBeside(path)) {}
    ~Temporary() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    const fs::path& path() const { return path_; }
    void commit() const {
        std::error_code problem;
        fs::rename(path_, target_, problem);
        if (problem) throw Error("{}: cannot be written: {}", target_.string(), problem.message());
    }

private:
    fs::path target_, path_;
};

std::vector<std::string> argumentsFor(const Film& film, const fs::path& file) {
    const int width = film.size.width / 2 * 2, height = film.size.height / 2 * 2;
    std::vector<std::string> arguments{
        requireTool("ffmpeg").string(),
        "-v",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        fmt::format("{}x{}", film.size.width, film.size.height),
        "-r",
        std::to_string(film.rate),
        "-i",
        "pipe:0",
        "-vf",
        fmt::format("crop={}:{}:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", width, height),
        "-colorspace",
        "bt709",
        "-color_primaries",
        "bt709",
        "-color_trc",
        "bt709",
        "-color_range",
        "tv"};
    std::istringstream options{std::string(film.format.ffmpegOptions)};
    for (std::string option; options >> option;) arguments.push_back(option);
    arguments.insert(arguments.end(), {"-f", std::string(film.format.name), "-y", "file:" + fs::absolute(file).string()});
    return arguments;
}

}  // namespace

void requireFfmpeg() { requireTool("ffmpeg"); }

void writeFilm(const fs::path& path, const Film& film, const NextFrame& next) {
    SPLAT_CHECK(film.size.width >= 2 && film.size.height >= 2 && film.rate > 0, "{}x{}, {} frames per second", film.size.width,
                film.size.height, film.rate);
    checkWritable(path);
    const Temporary file(path);
    std::optional<Image8> frame;
    size_t frames = 0;
    bool all = false;
    const ChildResult result =
        runChild({.arguments = argumentsFor(film, file.path()), .log = {}, .input = [&]() -> std::span<const std::byte> {
                      frame = next();
                      all = !frame;
                      if (all) return {};
                      SPLAT_CHECK(frame->width == film.size.width && frame->height == film.size.height && frame->channels == 3,
                                  "{}x{}, {} channels", frame->width, frame->height, frame->channels);
                      ++frames;
                      return std::as_bytes(std::span(frame->pixels));
                  }});
    if (!result.succeeded() || !all)
        throw Error("{}: ffmpeg failed after {} frames ({}); its last lines:\n  {}", path.string(), frames, result.ending(),
                    indented(result.lastLines));
    file.commit();
}

}  // namespace splat
