#include <splatwright/scene/images/npy_writer.h>

#include <bit>
#include <span>
#include <string>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat {

static_assert(std::endian::native == std::endian::little, "NPY files say that their floats are little-endian");

namespace {

constexpr size_t kAlignment = 64;  // of the data, which the header is padded to

/// Magic, version, length of the header, and the header: a Python dictionary with blanks and a line's end.
std::string headOf(const ImageF& image) {
    const std::string channels = image.channels == 1 ? "" : fmt::format(", {}", image.channels);
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}{}), }}", image.height, image.width, channels);
    std::string head("\x93NUMPY\x01\x00", 8);
    const size_t before = head.size() + 2, end = before + header.size() + 1;
    header += std::string((kAlignment - end % kAlignment) % kAlignment, ' ') + '\n';
    head += static_cast<char>(header.size() & 255);
    head += static_cast<char>(header.size() >> 8);
    return head + header;
}

}  // namespace

void writeNpy(const std::filesystem::path& path, const ImageF& image) {
    const std::string head = headOf(image);
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(head)));
    file.write(std::as_bytes(std::span(image.pixels)));
    file.commit();
}

}  // namespace splat
