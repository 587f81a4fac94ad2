#include <splatwright/api/convert.h>
#include <splatwright/api/translate.h>
#include <splatwright/core/error.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/evaluate/metrics.h>

namespace splatwright {

std::vector<SplatFormat> splatFormats() {
    std::vector<SplatFormat> formats;
    for (const splat::SplatFormat* format : splat::splatFormats())
        formats.push_back({format->name, format->extension, format->help, !format->writers.empty()});
    return formats;
}

Splats readSplats(const std::filesystem::path& path) {
    return translated([&] { return publicSplats(splat::readSplats(path)); });
}

void writeSplats(const std::filesystem::path& path, const Splats& splats) {
    translated([&] { splat::writeSplats(path, engineSplats(splats)); });
}

Image8 quantised(const ImageF& image) {
    return translated([&] { return publicImage(splat::quantised(engineImage(image))); });
}

Image8 readImage(const std::filesystem::path& path) {
    return translated([&] { return publicImage(splat::readImage(path)); });
}

void writePng(const std::filesystem::path& path, const Image8& image) {
    translated([&] { splat::writePng(path, engineImage(image)); });
}

}  // namespace splatwright
