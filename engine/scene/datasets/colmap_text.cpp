#include <algorithm>
#include <functional>
#include <limits>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/cameras/lens_models.h>
#include <splatwright/scene/datasets/colmap_files.h>
#include <splatwright/scene/files/text_reader.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

/// Lines of a model's text file, numbered from 1; records skip comments and blank lines.
class Lines {
public:
    explicit Lines(const fs::path& path) : path_(path), text_(readTextFile(path)), rest_(text_) {}

    std::optional<TextLine> nextRecord() {
        while (const auto line = nextLine()) {
            const TextLine record(path_, number_, *line);
            if (const auto words = record.rest(); !words.empty() && !words.starts_with('#')) return record;
        }
        return std::nullopt;
    }
    std::optional<std::string_view> nextLine() {
        ++number_;
        if (rest_.empty()) return std::nullopt;
        std::string_view line = rest_.substr(0, rest_.find('\n'));
        rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }
    size_t number() const { return number_; }

private:
    const fs::path& path_;
    std::string text_;
    std::string_view rest_;
    size_t number_ = 0;
};

uint32_t readId(TextLine& line, const char* property) {
    return static_cast<uint32_t>(std::min<uint64_t>(line.readInteger(property), std::numeric_limits<uint32_t>::max()));
}

ColmapCameras readCameras(const fs::path& path) {
    Lines lines(path);
    ColmapCameras cameras;
    while (auto line = lines.nextRecord()) {
        const uint32_t id = readId(*line, "camera id");
        const std::string name(line->readWord("camera model"));
        const LensModel& model = requireModel(findLensModel(name), path, id, name);
        const uint64_t width = line->readInteger("camera width");
        const uint64_t height = line->readInteger("camera height");
        std::vector<double> parameters(model.parameters());
        for (double& parameter : parameters) parameter = line->readNumber("camera parameters");
        if (!line->rest().empty()) {
            throw InputError("{}:{}: camera {} has more numbers: '{}', expected the {} parameters of {}", path.string(), lines.number(), id,
                             shortened(line->rest(), 60), parameters.size(), name);
        }
        const std::string prefix = fmt::format("{}:{}: camera {}", path.string(), lines.number(), id);
        addCamera(cameras, path, id, makeIntrinsics(prefix, model, width, height, parameters));
    }
    return cameras;
}

std::vector<ColmapImage> readImages(const fs::path& path) {
    Lines lines(path);
    std::vector<ColmapImage> images;
    while (auto line = lines.nextRecord()) {
        ColmapImage& image = images.emplace_back();
        image.id = readId(*line, "image id");
        for (int i = 0; i < 4; ++i) image.rotation[i] = line->readNumber("image rotation");
        for (int i = 0; i < 3; ++i) image.translation[i] = line->readNumber("image translation");
        image.camera = readId(*line, "image's camera id");
        image.name = line->rest();  // names may contain spaces
        if (image.name.empty()) line->readWord("image name");
        // The next line lists the image's 2D points and is often empty.
        lines.nextLine();
    }
    return images;
}

uint8_t readByte(TextLine& line) {
    const uint64_t value = line.readInteger("point colour");
    return static_cast<uint8_t>(std::min<uint64_t>(value, 255));
}

/// The observations of the last point, if the line goes on with its error and track.
void readTrack(TextLine& line, ColmapPoints& all) {
    if (line.rest().empty()) return;
    line.readNumber("point error");
    while (!line.rest().empty()) {
        const uint32_t image = readId(line, "image of the point's track");
        line.readInteger("image point of the point's track");
        all.observations.push_back({image, static_cast<uint32_t>(all.points.size() - 1)});
    }
}

ColmapPoints readPoints(const fs::path& path) {
    Lines lines(path);
    ColmapPoints all;
    while (auto line = lines.nextRecord()) {
        const uint64_t id = line->readInteger("point id");
        glm::dvec3 position;
        for (int i = 0; i < 3; ++i) position[i] = line->readNumber("point position");
        const uint8_t red = readByte(*line), green = readByte(*line), blue = readByte(*line);
        all.points.push_back(makePoint(path, id, position, {red, green, blue}));
        readTrack(*line, all);
    }
    return all;
}

}  // namespace

const ColmapEncoding kColmapText{.ending = ".txt", .readCameras = readCameras, .readImages = readImages, .readPoints = readPoints};

}  // namespace splat
