#include <splatwright/scene/images/exr_writer.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#ifdef SPLAT_HAS_EXR
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <half.h>
#endif

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat {

#ifdef SPLAT_HAS_EXR

namespace {

/// A file in memory. OpenEXR goes back to fill in where its lines are.
class MemoryFile : public Imf::OStream {
public:
    MemoryFile() : OStream("memory") {}
    void write(const char bytes[], int count) override {
        const auto size = static_cast<size_t>(count);
        if (bytes_.size() < place_ + size) bytes_.resize(place_ + size);
        std::memcpy(bytes_.data() + place_, bytes, size);
        place_ += size;
    }
    uint64_t tellp() override { return place_; }
    void seekp(uint64_t place) override { place_ = place; }
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
    size_t place_ = 0;
};

/// The image as rows of T, a channel beside the other.
template <class T>
std::vector<std::byte> encoded(const ImageF& image, std::span<const std::string> channels, std::vector<T> numbers, Imf::PixelType type) {
    Imf::Header header(image.width, image.height);
    header.compression() = Imf::ZIP_COMPRESSION;
    Imf::FrameBuffer frame;
    const size_t pixel = channels.size() * sizeof(T);
    for (size_t i = 0; i < channels.size(); ++i) {
        header.channels().insert(channels[i], Imf::Channel(type));
        frame.insert(channels[i],
                     Imf::Slice(type, reinterpret_cast<char*>(numbers.data() + i), pixel, pixel * static_cast<size_t>(image.width)));
    }
    MemoryFile file;
    {
        Imf::OutputFile output(file, header);
        output.setFrameBuffer(frame);
        output.writePixels(image.height);
    }  // which writes the table of lines
    return {file.bytes().begin(), file.bytes().end()};
}

void checkHalf(const std::filesystem::path& path, const ImageF& image, std::span<const std::string> channels) {
    for (size_t i = 0; i < image.pixels.size(); ++i) {
        if (!(std::abs(image.pixels[i]) > kLargestHalf)) continue;
        const size_t pixel = i / channels.size(), width = static_cast<size_t>(image.width);
        throw InputError("{}: channel {} of pixel {},{} is {}, expected at most {}, the largest half float: write single floats",
                         path.string(), channels[i % channels.size()], pixel % width, pixel / width, image.pixels[i], kLargestHalf);
    }
}

}  // namespace

void requireExr() {}

void writeExr(const std::filesystem::path& path, const ImageF& image, std::span<const std::string> channels, ExrFloats floats) {
    SPLAT_CHECK(image.width > 0 && image.height > 0 && static_cast<size_t>(image.channels) == channels.size(),
                "{}x{}, {} names of {} channels", image.width, image.height, channels.size(), image.channels);
    if (floats == ExrFloats::single) return writeFileAtomically(path, encoded<float>(image, channels, image.pixels, Imf::FLOAT));
    checkHalf(path, image, channels);
    writeFileAtomically(path, encoded<half>(image, channels, {image.pixels.begin(), image.pixels.end()}, Imf::HALF));
}

#else

void requireExr() {
    throw InputError("EXR files are not written, as this build was made without libopenexr-dev: install it and build the program again");
}

void writeExr(const std::filesystem::path&, const ImageF&, std::span<const std::string>, ExrFloats) { requireExr(); }

#endif

}  // namespace splat
