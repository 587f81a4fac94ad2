// NPY files by the letter of their specification (numpy.lib.format).
#include <splatwright/scene/images/npy_writer.h>

#include <cstring>

#include <splatwright/core/input_file.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

struct NpyCase {
    int width, height, channels;
    std::string shape;
};

TEST(NpyWriter, FilesHaveTheHeaderAndTheNumbersOfTheSpecification) {
    const Scratch scratch;
    for (const NpyCase& c : {NpyCase{7, 5, 1, "(5, 7)"}, {7, 5, 3, "(5, 7, 3)"}, {1, 1, 1, "(1, 1)"}, {1234, 100, 3, "(100, 1234, 3)"}}) {
        ImageF image(c.width, c.height, c.channels);
        for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<float>(i) * 0.37F - 3;
        writeNpy(scratch.path() / "a.npy", image);
        const std::string text = readTextFile(scratch.path() / "a.npy");
        ASSERT_EQ(text.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
        const size_t length = static_cast<unsigned char>(text[8]) + 256U * static_cast<unsigned char>(text[9]);
        EXPECT_EQ((10 + length) % 64, 0u) << c.shape;
        const std::string header = text.substr(10, length);
        EXPECT_EQ(header.substr(0, header.find("}") + 1), "{'descr': '<f4', 'fortran_order': False, 'shape': " + c.shape + ", }");
        EXPECT_EQ(header.find_first_not_of(' ', header.find('}') + 1), length - 1);
        EXPECT_EQ(header.back(), '\n');
        ASSERT_EQ(text.size(), 10 + length + image.pixels.size() * sizeof(float));
        EXPECT_EQ(std::memcmp(&text[10 + length], image.pixels.data(), text.size() - 10 - length), 0);
    }
}

TEST(NpyWriter, AFileThatCannotBeWrittenIsAnError) { EXPECT_THROW(writeNpy("/does/not/exist/a.npy", ImageF(2, 2, 1)), Error); }

}  // namespace
}  // namespace splat
