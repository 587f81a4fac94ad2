// EXIF's orientation as it is read from files of each format.
#include <splatwright/scene/images/orientation.h>

#include "encoders.h"
#include "exif_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr int kWidth = 3, kHeight = 2;

constexpr const char* kFormats[] = {"JPEG", "PNG", "WebP"};

/// A small picture of each format with a block of EXIF.
std::vector<std::string> filesWith(const std::string& block) {
    const Image8 image = testImage(kWidth, kHeight, 3);
    return {jpegWithExif(encodeJpeg(image), block), pngWithExif(encodePng(rawPng(image)), block),
            webpWithExif(encodeWebp(image), block, kWidth, kHeight)};
}

struct OrientationOf : testing::Test {
    int read(const std::string& content) const { return static_cast<int>(readOrientation(scratch.write("file", content))); }
    /// The same in files of each format.
    void expect(const std::string& block, int expected, const std::string& what) const {
        const std::vector<std::string> files = filesWith(block);
        for (size_t i = 0; i < files.size(); ++i) EXPECT_EQ(read(files[i]), expected) << what << ", " << kFormats[i];
    }
    Scratch scratch;
};

TEST_F(OrientationOf, EveryValueIsReadInBothByteOrders) {
    for (const std::endian order : {std::endian::big, std::endian::little})
        for (uint32_t value = 1; value <= 8; ++value)
            expect(exifOf(value, order), static_cast<int>(value), order == std::endian::big ? "big endian" : "little endian");
}

TEST_F(OrientationOf, OtherValuesTypesAndCountsAreIgnored) {
    for (const std::endian order : {std::endian::big, std::endian::little}) {
        for (const uint32_t value : {0u, 9u, 0x0600u, 0xffffu}) expect(exifOf(value, order), 1, fmt::format("value {}", value));
        expect(exifOf({kOrientationTag, 6, 4}, order), 1, "32-bit number");
        expect(exifOf({kOrientationTag, 6, 3, 2}, order), 1, "two values");
        expect(exifOf({kOrientationTag + 1, 6}, order), 1, "another tag");
    }
}

TEST_F(OrientationOf, FilesWithoutExifAreAsStored) {
    const Image8 image = testImage(kWidth, kHeight, 3);
    for (const std::string& file : {encodeJpeg(image), encodePng(rawPng(image)), encodeWebp(image)}) EXPECT_EQ(read(file), 1);
    expect("", 1, "empty block");
    expect("II*\1" + exifOf(6).substr(4), 1, "foreign signature");
}

TEST_F(OrientationOf, ABlockCutAnywhereIsAsStored) {
    for (const std::endian order : {std::endian::big, std::endian::little}) {
        const std::string block = exifOf(6, order);
        for (size_t length = 0; length <= block.size(); ++length)
            expect(block.substr(0, length), length < kBytesToOrientation ? 1 : 6, fmt::format("{} bytes", length));
    }
}

TEST_F(OrientationOf, ForgedOffsetsAndCountsAreAsStored) {
    for (const uint32_t offset : {0u, 1u, 7u, 47u, 0x7fffffffu, 0xfffffff4u, 0xffffffffu}) {
        std::string block = exifOf(6);
        block.replace(4, 4, bytesOf(offset, 4, std::endian::big));
        expect(block, 1, fmt::format("offset {}", offset));
    }
    std::string block = exifOf({kOrientationTag, 6, 7}, std::endian::big);
    block.replace(8, 2, "\xff\xff");
    expect(block, 1, "65535 entries");
}

TEST_F(OrientationOf, EveryPrefixOfAFileIsAnErrorOrAnAnswer) {
    for (const std::string& file : filesWith(exifOf(6))) {
        for (size_t length = 0; length < file.size(); ++length) {
            try {
                const int found = read(file.substr(0, length));
                EXPECT_TRUE(found == 1 || found == 6) << found;
            } catch (const InputError&) {
            }
        }
        expectDamageToBeHarmless(scratch, "file", file, [](const fs::path& path) { readOrientation(path); });
    }
}

TEST_F(OrientationOf, JpegSegmentsBeforeItAreSkipped) {
    const std::string file = encodeJpeg(testImage(kWidth, kHeight, 3)), start = file.substr(0, 2), rest = file.substr(2);
    const std::string exif = exifSegment(exifOf(8)), scene = jpegSegment('\xe1', std::string("http://ns.adobe.com/xap/1.0/\0", 29));
    EXPECT_EQ(read(start + scene + exif + rest), 8);
    EXPECT_EQ(read(start + jpegSegment('\xfe', "a comment") + "\xff" + exif + rest), 8) << "a filler before the marker";
    EXPECT_EQ(read(start + exif + exifSegment(exifOf(3)) + rest), 8) << "the first counts";
    EXPECT_EQ(read(start + std::string("\xff\xe2\0\1", 4) + exif + rest), 1) << "a segment shorter than its length";
    EXPECT_EQ(read(file + exif), 1) << "behind the pixels";
}

TEST_F(OrientationOf, PngHasItBehindThePixelsToo) {
    const std::string file = encodePng(rawPng(testImage(kWidth, kHeight, 3)));
    EXPECT_EQ(read(pngWithExif(file, exifOf(5), file.size() - 12)), 5);
}

TEST_F(OrientationOf, JpegsSignatureIsSkippedInOtherFormats) {
    const std::vector<std::string> files = filesWith(std::string("Exif\0\0", 6) + exifOf(7));
    EXPECT_EQ(read(files[1]), 7) << "PNG";
    EXPECT_EQ(read(files[2]), 7) << "WebP";
}

TEST_F(OrientationOf, WebpChunksOfOddLengthArePadded) {
    const std::string odd = exifOf(4) + 'x', file = encodeWebp(testImage(kWidth, kHeight, 3));
    EXPECT_EQ(read(webpWithExif(file, odd, kWidth, kHeight)), 4);
    const std::string before = std::string("ICCP\3\0\0\0abc\0", 12);
    EXPECT_EQ(read(webpWithExif(file.substr(0, 12) + before + file.substr(12), odd, kWidth, kHeight)), 4);
}

TEST_F(OrientationOf, MissingAndForeignFilesAreNamed) {
    expectInputError([&] { readOrientation(scratch.path() / "none.png"); }, {"none.png", "cannot be read"});
    expectInputError([&] { readOrientation(scratch.write("note.png", "just text")); }, {"note.png", "unknown picture format"});
}

}  // namespace
}  // namespace splat
