#include "viewer/scene/fitted_picture.h"

#include <vector>

#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/render/kinds/blobs.h>

namespace splat::app {

namespace {

/// Blobs of a file stay even where they are not seen, so that nothing is lost; those of a checkpoint need not be numbers.
Blobs chosen(const FittedPicture& picture, std::span<const uint8_t> flags, uint32_t with, uint32_t without) {
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < picture.blobs.count(); ++i) {
        const uint32_t flag = i < flags.size() ? flags[i] : 0;
        if ((flag & with) == with && (flag & without) == 0) indices.push_back(i);
    }
    const Blobs part = selectedBlobs(picture.blobs, indices);
    return picture.isOfFile ? part : shownBlobs(part);
}

}  // namespace

FittedPicture readFittedPicture(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    return {decodeBlobs(bytes, path), blobEncodingOf(bytes, path), true};
}

FittedPicture fittedPictureOf(const ModelFile& model) {
    return {drawnBlobs(model.numbers, model.kind, model.view ? model.view->background : glm::vec3(0)), {}, false};
}

FittedPicture partOf(const FittedPicture& picture, std::span<const uint8_t> flags, uint32_t with, uint32_t without) {
    const Blobs part = chosen(picture, flags, with, without);
    return {decodeBlobs(encodeBlobs(part, picture.encoding), "a part"), picture.encoding, true};
}

void writePart(const std::filesystem::path& path, const FittedPicture& picture, std::span<const uint8_t> flags, uint32_t with,
               uint32_t without) {
    writeBlobs(path, chosen(picture, flags, with, without), picture.encoding);
}

}  // namespace splat::app
