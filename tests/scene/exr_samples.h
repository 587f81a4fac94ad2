#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputFile.h>

#include <splatwright/core/image.h>

namespace splat::test {

/// An EXR file as OpenEXR itself reads it.
struct Exr {
    std::vector<std::string> channels;
    std::vector<Imf::PixelType> types;
    ImageF image;  ///< in the order of the names
};

inline Exr readExr(const std::filesystem::path& path) {
    Imf::InputFile file(path.c_str());
    const Imath::Box2i window = file.header().dataWindow();
    Exr exr;
    for (auto it = file.header().channels().begin(); it != file.header().channels().end(); ++it) {
        exr.channels.emplace_back(it.name());
        exr.types.push_back(it.channel().type);
    }
    exr.image = ImageF(window.max.x - window.min.x + 1, window.max.y - window.min.y + 1, static_cast<int>(exr.channels.size()));
    const size_t pixel = exr.channels.size() * sizeof(float);
    Imf::FrameBuffer frame;
    for (size_t i = 0; i < exr.channels.size(); ++i)
        frame.insert(exr.channels[i], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(exr.image.pixels.data() + i), pixel,
                                                 pixel * static_cast<size_t>(exr.image.width)));
    file.setFrameBuffer(frame);
    file.readPixels(window.min.y, window.max.y);
    return exr;
}

}  // namespace splat::test
