#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/pictures/blob_file.h>
#include "blob_samples.h"
#include "peak_memory.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr std::array kAttributesOfBlobs{BlobAttribute::centres, BlobAttribute::diagonals, BlobAttribute::offDiagonals,
                                        BlobAttribute::colours, BlobAttribute::opacities};
constexpr std::array<size_t, kBlobAttributes> kNumbers{2, 2, 1, 3, 1};
constexpr size_t kHeaderBytes = 100, kRowBytes = 12, kFirstRow = 40;

using Row = std::array<float, 9>;

Row rowOf(const Blobs& b, size_t i) {
    return {b.centres[i].x, b.centres[i].y, b.factors[i].x, b.factors[i].y, b.factors[i].z,
            b.colours[i].x, b.colours[i].y, b.colours[i].z, b.opacities[i]};
}

std::vector<Row> rowsOf(const Blobs& blobs) {
    std::vector<Row> rows(blobs.count());
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = rowOf(blobs, i);
    return rows;
}

/// The blobs at these indices.
Blobs picked(const Blobs& blobs, const std::vector<size_t>& indices) {
    Blobs result = blobs;
    result.resize(indices.size());
    for (size_t i = 0; i < indices.size(); ++i) {
        result.centres[i] = blobs.centres[indices[i]];
        result.factors[i] = blobs.factors[indices[i]];
        result.colours[i] = blobs.colours[indices[i]];
        result.opacities[i] = blobs.opacities[indices[i]];
    }
    return result;
}

Blobs shuffled(const Blobs& blobs) {
    std::vector<size_t> order(blobs.count());
    std::iota(order.begin(), order.end(), size_t{0});
    Rng rng(7);
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    return picked(blobs, order);
}

/// The numbers of an attribute as the format spaces them evenly, computed from its description.
std::vector<double> spacedNumbers(const Blobs& blobs, BlobAttribute attribute) {
    std::vector<double> numbers;
    for (size_t i = 0; i < blobs.count(); ++i) {
        const glm::dvec3 factor = blobs.factors[i], colour = blobs.colours[i];
        switch (attribute) {
            case BlobAttribute::centres: numbers.insert(numbers.end(), {blobs.centres[i].x, blobs.centres[i].y}); break;
            case BlobAttribute::diagonals: numbers.insert(numbers.end(), {std::log(factor.x), std::log(factor.z)}); break;
            case BlobAttribute::offDiagonals: numbers.push_back(std::asinh(factor.y / std::sqrt(factor.x * factor.z))); break;
            case BlobAttribute::colours: numbers.insert(numbers.end(), {colour.x, colour.y, colour.z}); break;
            case BlobAttribute::opacities: numbers.push_back(blobs.opacities[i]); break;
        }
    }
    return numbers;
}

BlobEncoding encodingWith(BlobAttribute attribute, int bits) {
    BlobEncoding encoding{.bits = {11, 7, 9, 8, 10}};
    encoding.of(attribute) = bits;
    return encoding;
}

Blobs decoded(std::string_view content) { return decodeBlobs(std::as_bytes(std::span(content)), "a.blobs"); }
Blobs decoded(const Blobs& blobs, const BlobEncoding& encoding) { return decodeBlobs(encodeBlobs(blobs, encoding), "a.blobs"); }

void expectRefused(const std::string& content, const std::vector<std::string>& parts) {
    expectInputError([&] { decoded(content); }, parts);
}

/// Blobs that can be drawn; anything else must not come out of a damaged file.
void expectValid(const Blobs& blobs) {
    EXPECT_TRUE(blobs.width >= 1 && blobs.width <= 65536 && blobs.height >= 1 && blobs.height <= 65536);
    ASSERT_TRUE(blobs.factors.size() == blobs.count() && blobs.colours.size() == blobs.count() && blobs.opacities.size() == blobs.count());
    for (int c = 0; c < 3; ++c) EXPECT_TRUE(std::isfinite(blobs.background[c]));
    for (size_t i = 0; i < blobs.count(); ++i) {
        EXPECT_TRUE(std::ranges::all_of(rowOf(blobs, i), [](float number) { return std::isfinite(number); })) << i;
        EXPECT_TRUE(blobs.factors[i].x > 0 && blobs.factors[i].z > 0) << i;
        EXPECT_TRUE(blobs.opacities[i] >= 0 && blobs.opacities[i] <= 1) << i;
    }
}

TEST(BlobFile, NumbersAreWithinHalfAStepAtAnyBits) {
    const Blobs samples[] = {pictureLikeBlobs(300, false), wildBlobs(300, false)};
    for (const Blobs& blobs : samples) {
        for (const BlobAttribute attribute : kAttributesOfBlobs) {
            const std::vector<double> expected = spacedNumbers(blobs, attribute);
            const auto [least, most] = std::ranges::minmax(expected);
            const double length = attribute == BlobAttribute::offDiagonals ? std::max(most, 0.0) - std::min(least, 0.0) : most - least;
            for (int bits = 1; bits <= 16; ++bits) {
                const double halfStep = length / ((1 << bits) - 1) / 2;
                const std::vector<double> found = spacedNumbers(decoded(blobs, encodingWith(attribute, bits)), attribute);
                ASSERT_EQ(found.size(), expected.size());
                for (size_t i = 0; i < found.size(); ++i) {
                    const double rounding = 1e-6 * std::max(1e-3, std::abs(expected[i]));  // of the numbers themselves, which are floats
                    ASSERT_NEAR(found[i], expected[i], halfStep + rounding)
                        << static_cast<int>(attribute) << ", " << bits << " bits, " << i;
                }
            }
        }
    }
}

TEST(BlobFile, EncodingADecodedFileGivesTheSameBytes) {
    for (const bool summed : {false, true}) {
        Blobs tiny = wildBlobs(100, summed);
        for (glm::vec3& factor : tiny.factors) factor *= 1e-4F;
        Blobs narrow = pictureLikeBlobs(100, summed);  // ranges of a few steps of a float
        for (size_t i = 0; i < narrow.count(); ++i) {
            const auto little = static_cast<float>(i % 7) * 1e-7F;
            narrow.centres[i] = glm::vec2(300 + 200 * little, 200);
            narrow.factors[i] = {2 + little, 0.7F + little, 3 - little};
            narrow.colours[i] = glm::vec3(0.5F + little, 0.5F, 0.5F - little);
            narrow.opacities[i] = 1 - little;
        }
        for (const Blobs& blobs : {pictureLikeBlobs(300, summed), wildBlobs(300, summed), tiny, narrow}) {
            for (const BlobAttribute attribute : kAttributesOfBlobs) {
                for (int bits = 1; bits <= 16; ++bits) {
                    const BlobEncoding encoding = encodingWith(attribute, bits);
                    const auto once = encodeBlobs(blobs, encoding);
                    ASSERT_TRUE(encodeBlobs(decodeBlobs(once, "a"), encoding) == once)
                        << summed << ", " << static_cast<int>(attribute) << ", " << bits << " bits";
                }
            }
        }
    }
}

/// Off-diagonals are rounded to floats after the lengths that they belong to, so that the ends of their range might not come back.
TEST(BlobFile, RangesOfOffDiagonalsComeBackWhateverTheLengths) {
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        const Blobs blobs = pictureLikeBlobs(3, false, seed);
        const auto once = encodeBlobs(blobs, {.bits = {16, 16, 16, 16, 16}});
        ASSERT_TRUE(encodeBlobs(decodeBlobs(once, "a"), {.bits = {16, 16, 16, 16, 16}}) == once) << seed;
    }
}

TEST(BlobFile, EveryCountComesBack) {
    for (const bool summed : {false, true}) {
        for (const size_t count : {0U, 1U, 2U, 255U, 256U, 257U, 70'000U}) {
            const Blobs blobs = pictureLikeBlobs(count, summed);
            const auto bytes = encodeBlobs(blobs, {});
            const Blobs found = decodeBlobs(bytes, "a");
            EXPECT_EQ(found.count(), count);
            EXPECT_EQ(found.width, 768U);
            EXPECT_EQ(found.height, 512U);
            EXPECT_EQ(found.summed, summed);
            EXPECT_EQ(found.background, blobs.background);
            expectValid(found);
            EXPECT_TRUE(encodeBlobs(found, {}) == bytes) << count;
            EXPECT_LE(bytes.size(), kHeaderBytes + 17 * (4 + count)) << count;
        }
    }
}

TEST(BlobFile, NumbersThatAreAllEqualAreExact) {
    for (const bool summed : {false, true}) {
        Blobs blobs = pictureLikeBlobs(1000, summed);
        std::ranges::fill(blobs.centres, glm::vec2(123.4F));
        std::ranges::fill(blobs.factors, glm::vec3(0.3F, 0, 0.3F));
        std::ranges::fill(blobs.colours, glm::vec3(-7.7F));
        std::ranges::fill(blobs.opacities, 0.1F);
        for (const int bits : {1, 8, 9, 16}) {
            const auto bytes = encodeBlobs(blobs, {.bits = {bits, bits, bits, bits, bits}});
            EXPECT_TRUE(rowsOf(decodeBlobs(bytes, "a")) == rowsOf(blobs)) << bits;
            EXPECT_LT(bytes.size(), 600U) << bits;
        }
    }
}

TEST(BlobFile, EndsOfRangesAreExact) {
    for (const Blobs& blobs : {pictureLikeBlobs(500, false), wildBlobs(500, false)}) {
        const Blobs found = decoded(blobs, {.bits = {5, 5, 5, 5, 5}});
        const auto ends = [](const Blobs& b, auto number) {
            std::vector<float> numbers(b.count());
            for (size_t i = 0; i < b.count(); ++i) numbers[i] = number(b, i);
            const auto [least, most] = std::ranges::minmax(numbers);
            return std::pair(least, most);
        };
        const auto colour = [](const Blobs& b, size_t i) { return std::max({b.colours[i].x, b.colours[i].y, b.colours[i].z}); };
        const auto side = [](const Blobs& b, size_t i) { return std::max(b.factors[i].x, b.factors[i].z); };
        const auto opacity = [](const Blobs& b, size_t i) { return b.opacities[i]; };
        EXPECT_EQ(ends(found, colour).second, ends(blobs, colour).second);
        EXPECT_EQ(ends(found, side).second, ends(blobs, side).second);
        EXPECT_EQ(ends(found, opacity), ends(blobs, opacity));
    }
}

TEST(BlobFile, BlendedBlobsKeepTheirOrderAndSummedOnesTheirNumbers) {
    for (const size_t count : {2U, 257U, 5000U}) {
        Blobs blended = pictureLikeBlobs(count, false);
        for (size_t i = 0; i < count; ++i) blended.opacities[i] = static_cast<float>(i) / static_cast<float>(count - 1);
        const BlobEncoding encoding{.bits = {8, 6, 6, 6, 16}};
        std::vector<Row> inOrder = rowsOf(decoded(blended, encoding));
        for (size_t i = 0; i < count; ++i) ASSERT_NEAR(inOrder[i][8], blended.opacities[i], 1e-5F) << i;
        Blobs summed = blended;
        summed.summed = true;
        std::vector<Row> sorted = rowsOf(decoded(summed, encoding));
        EXPECT_TRUE(count == 2 || sorted != inOrder) << "sorting is what makes the file small";
        std::ranges::sort(inOrder);
        std::ranges::sort(sorted);
        EXPECT_TRUE(sorted == inOrder) << count;
    }
}

TEST(BlobFile, RoundedBlobsAreWhatAFileDecodesTo) {
    for (const Blobs& blobs : {pictureLikeBlobs(300, false), wildBlobs(300, false)}) {
        const BlobEncoding encoding{.bits = {9, 5, 6, 4, 3}};
        EXPECT_TRUE(rowsOf(roundedBlobs(blobs, encoding)) == rowsOf(decoded(blobs, encoding)));
    }
    Blobs summed = pictureLikeBlobs(300, true);
    const BlobEncoding fine{.bits = {16, 12, 12, 12, 12}};
    EXPECT_EQ(encodeBlobs(roundedBlobs(summed, fine), fine), encodeBlobs(summed, fine));
}

TEST(BlobFile, TheOrderOfSummedBlobsDoesNotChangeTheFile) {
    for (const int bits : {1, 3, 12}) {
        const BlobEncoding encoding{.bits = {bits, 2, 3, 2, 1}};  // many equal words
        const Blobs summed = pictureLikeBlobs(3000, true);
        EXPECT_TRUE(encodeBlobs(shuffled(summed), encoding) == encodeBlobs(summed, encoding)) << bits;
        const Blobs blended = pictureLikeBlobs(3000, false);
        EXPECT_FALSE(encodeBlobs(shuffled(blended), encoding) == encodeBlobs(blended, encoding)) << bits;
    }
}

TEST(BlobFile, MortonOrderSavesMoreThanATenth) {
    for (const uint64_t seed : {1U, 2U, 3U}) {
        const auto unsorted = encodeBlobs(pictureLikeBlobs(10'000, false, seed), {}).size();
        const auto sorted = encodeBlobs(pictureLikeBlobs(10'000, true, seed), {}).size();
        EXPECT_LT(static_cast<double>(sorted), 0.9 * static_cast<double>(unsorted)) << seed;
    }
}

TEST(BlobFile, MoreBitsTakeMoreBytesAndRoundLess) {
    const Blobs blobs = pictureLikeBlobs(2000, false);
    for (const BlobAttribute attribute : kAttributesOfBlobs) {
        const std::vector<double> expected = spacedNumbers(blobs, attribute);
        double before = std::numeric_limits<double>::max();
        size_t bytesBefore = 0;
        for (int bits = 1; bits <= 16; bits += 3) {
            const auto bytes = encodeBlobs(blobs, encodingWith(attribute, bits));
            const std::vector<double> found = spacedNumbers(decodeBlobs(bytes, "a"), attribute);
            double error = 0;
            for (size_t i = 0; i < found.size(); ++i) error += std::abs(found[i] - expected[i]);
            EXPECT_LT(error, before / 4) << static_cast<int>(attribute) << ", " << bits;
            EXPECT_GT(bytes.size(), bytesBefore) << static_cast<int>(attribute) << ", " << bits;
            before = error, bytesBefore = bytes.size();
        }
    }
}

/// The README's line for the defaults.
TEST(BlobFile, DefaultsLoseLessThanAPictureShows) {
    const Blobs blobs = pictureLikeBlobs(10'000, false);
    const Blobs found = decoded(blobs, {});
    const std::array<double, kBlobAttributes> most{0.0125, 0.0075, 0.0085, 0.3 / 255, 0.004};
    for (const BlobAttribute attribute : kAttributesOfBlobs) {
        const std::vector<double> a = spacedNumbers(found, attribute), b = spacedNumbers(blobs, attribute);
        for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], most[static_cast<size_t>(attribute)]) << static_cast<int>(attribute);
    }
    EXPECT_LT(encodeBlobs(blobs, {}).size(), 105'000U);
    EXPECT_LT(encodeBlobs(pictureLikeBlobs(10'000, true), {}).size(), 85'000U);
}

// Files by hand, from engine/scene/README.md.

struct AttributeBytes {
    uint8_t bits, coding;
    float lowest, highest;
    std::vector<std::string> planes;
};

Bytes headerBytes(uint32_t count, uint32_t flags) {
    Bytes bytes;
    for (const char c : std::string_view("SPLATBLB")) bytes.put(c);
    bytes.put(uint32_t{1}).put(uint32_t{640}).put(uint32_t{480}).put(count).put(flags).put(0.25F).put(0.5F).put(0.75F);
    return bytes;
}

std::string fileOf(uint32_t count, uint32_t flags, const std::array<AttributeBytes, kBlobAttributes>& attributes) {
    Bytes bytes = headerBytes(count, flags);
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        const AttributeBytes& row = attributes[a];
        bytes.put(static_cast<uint8_t>(kNumbers[a])).put(row.bits).put(row.coding).put(uint8_t{0}).put(row.lowest).put(row.highest);
    }
    for (const AttributeBytes& row : attributes) {
        for (const std::string& plane : row.planes) {
            bytes.put(static_cast<uint32_t>(plane.size()));
            for (const char c : plane) bytes.put(c);
        }
    }
    return bytes.content();
}

using namespace std::string_literals;

/// Two blended blobs whose words are stored as they are.
std::array<AttributeBytes, kBlobAttributes> wordsByHand() {
    return {{{10, 0, -16, 1007, {"\x1d\xff"s, "\x00\x03"s, "\x10\x00"s, "\x02\x00"s}},
             {3, 0, 0.5F, 64, {"\x02\x00"s, "\x04\x07"s}},
             {2, 0, -1, 2, {"\x03\x00"s}},
             {8, 0, 0, 1, {"\xf6\xff"s, "\x14\x00"s, "\xeb\x80"s}},
             {4, 0, 0, 1, {"\x0f\x00"s}}}};
}

void expectByHand(const Blobs& blobs, glm::vec2 first, glm::vec2 second) {
    ASSERT_EQ(blobs.count(), 2U);
    EXPECT_EQ(blobs.width, 640U);
    EXPECT_EQ(blobs.height, 480U);
    EXPECT_EQ(blobs.background, glm::vec3(0.25F, 0.5F, 0.75F));
    EXPECT_EQ(blobs.centres[0], first);
    EXPECT_EQ(blobs.centres[1], second);
    EXPECT_NEAR(blobs.factors[0].x, 2, 1e-6);
    EXPECT_NEAR(blobs.factors[0].y, 4 * std::sinh(2.0), 1e-5);
    EXPECT_NEAR(blobs.factors[0].z, 8, 1e-6);
    EXPECT_EQ(blobs.factors[1].x, 0.5F);
    EXPECT_NEAR(blobs.factors[1].y, -std::sqrt(32.0) * std::sinh(1.0), 1e-5);
    EXPECT_EQ(blobs.factors[1].z, 64);
    for (const auto& [found, expected] :
         {std::pair(blobs.colours[0], glm::vec3(10, 20, 255)), std::pair(blobs.colours[1], glm::vec3(255, 0, 128))})
        EXPECT_LT(glm::distance(found, expected / 255.0F), 1e-6F);
    EXPECT_EQ(blobs.opacities, (std::vector<float>{1, 0}));
}

TEST(BlobFile, AFileByHandIsReadAndWritten) {
    const std::string content = fileOf(2, 0, wordsByHand());
    const Blobs blobs = decoded(content);
    EXPECT_FALSE(blobs.summed);
    expectByHand(blobs, {100, 50}, {1007, -16});
    EXPECT_EQ(textOf(encodeBlobs(blobs, {.bits = {10, 3, 2, 8, 4}})), content);
}

TEST(BlobFile, AFileByHandOfDifferencesIsRead) {
    auto attributes = wordsByHand();
    attributes[0] = {4, 2, -5, 10, {"\x27\x9f"s}};                 // centres (3, 5), (10, 9): Morton codes 39, 198
    attributes[1] = {3, 1, 0.5F, 64, {"\x04\x03"s, "\x07\x06"s}};  // 2, -2 and 4 = -4, 3, modulo 8
    attributes[3] = {8, 1, 0, 1, {"\x13\x12"s, "\x28\x27"s, "\x29\xd5"s}};
    const Blobs blobs = decoded(fileOf(2, 1, attributes));
    EXPECT_TRUE(blobs.summed);
    expectByHand(blobs, {-2, 0}, {5, 4});
}

TEST(BlobFile, EveryPrefixIsRefused) {
    const Scratch scratch;
    for (const Blobs& blobs : {pictureLikeBlobs(3, false), pictureLikeBlobs(300, true)}) {
        expectEveryPrefixToFail(scratch, "a.blobs", textOf(encodeBlobs(blobs, {})), [](const fs::path& path) { readBlobs(path); });
    }
    expectRefused(fileOf(2, 0, wordsByHand()) + "x", {"a.blobs", "1 bytes follow the last plane", "expected none"});
}

TEST(BlobFile, EveryWrongByteIsAnErrorOrAPicture) {
    for (const Blobs& blobs : {pictureLikeBlobs(5, false), pictureLikeBlobs(5, true)}) {
        const std::string content = textOf(encodeBlobs(blobs, {.bits = {12, 7, 9, 3, 16}}));
        for (size_t i = 0; i < content.size(); ++i) {
            for (int flip = 1; flip < 256; ++flip) {
                std::string damaged = content;
                damaged[i] = static_cast<char>(damaged[i] ^ flip);
                try {
                    expectValid(decoded(damaged));
                } catch (const InputError&) {
                }
                ASSERT_FALSE(testing::Test::HasFailure()) << "byte " << i << " ^ " << flip;
            }
        }
    }
}

TEST(BlobFile, WrongBytesInFramesAreAnErrorOrAPicture) {
    const Scratch scratch;
    for (const bool summed : {false, true}) {
        expectDamageToBeHarmless(scratch, "a.blobs", textOf(encodeBlobs(pictureLikeBlobs(200, summed), {.bits = {11, 4, 4, 5, 2}})),
                                 [](const fs::path& path) { expectValid(readBlobs(path)); });
    }
}

/// The file by hand with a value at an offset.
template <class Value>
std::string claiming(size_t offset, Value value) {
    std::string content = fileOf(2, 0, wordsByHand());
    std::memcpy(&content[offset], &value, sizeof value);
    return content;
}

TEST(BlobFile, WrongHeadersAreNamed) {
    expectRefused(claiming(0, 'x'), {"a.blobs: not a .blobs file", "'SPLATBLB'"});
    for (const uint32_t version : {0U, 2U, 0xffffffffU})
        expectRefused(claiming(8, version), {fmt::format("the version is {}, expected 1", version)});
    for (const uint32_t side : {0U, 65537U, 0xffffffffU}) {
        expectRefused(claiming(12, side), {fmt::format("the width is {}, expected 1 to 65536", side)});
        expectRefused(claiming(16, side), {fmt::format("the height is {}, expected 1 to 65536", side)});
    }
    EXPECT_EQ(decoded(claiming(16, uint32_t{65536})).height, 65536U);
    const std::array<uint32_t, 2> square{65536, 65536};
    expectRefused(claiming(12, square), {"width and height are 65536 and 65536", "at most 1073741824 pixels"});
    expectRefused(claiming(24, uint32_t{2}), {"the word of flags is 2, expected 0 to 1"});
    for (const size_t offset : {28U, 32U, 36U}) {
        expectRefused(claiming(offset, std::numeric_limits<float>::quiet_NaN()), {"background is nan, expected a finite number"});
        expectRefused(claiming(offset, std::numeric_limits<float>::infinity()), {"background is inf"});
    }
}

TEST(BlobFile, WrongAttributesAreNamed) {
    const char* names[] = {"centres", "diagonals", "off-diagonals", "colours", "opacities"};
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        const size_t row = kFirstRow + a * kRowBytes;
        const std::string name = names[a];
        expectRefused(claiming(row, uint8_t{0}), {fmt::format("the number of words of {} is 0, expected {}", name, kNumbers[a])});
        expectRefused(claiming(row, uint8_t{4}), {fmt::format("the number of words of {} is 4", name)});
        for (const uint8_t bits : {uint8_t{0}, uint8_t{17}, uint8_t{255}})
            expectRefused(claiming(row + 1, bits), {fmt::format("the number of bits of {} is {}, expected 1 to 16", name, bits)});
        expectRefused(claiming(row + 2, uint8_t{3}), {fmt::format("the coding of {} is 3, expected 0 to {}", name, a == 0 ? 2 : 1)});
        if (a > 0) expectRefused(claiming(row + 2, uint8_t{2}), {fmt::format("the coding of {} is 2, expected 0 to 1", name)});
        expectRefused(claiming(row + 3, uint8_t{1}), {name, "is 1, expected 0"});
        for (const float wrong :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
            expectRefused(claiming(row + 4, wrong), {"the lowest number of " + name, "expected"});
            expectRefused(claiming(row + 8, wrong), {"the highest number of " + name, "expected"});
        }
        expectRefused(claiming(row + 4, 2000.0F), {"number of " + name});  // above the highest or the bounds
    }
    expectRefused(claiming(kFirstRow + kRowBytes + 4, 0.0F), {"the lowest number of diagonals is 0"});
    expectRefused(claiming(kFirstRow + kRowBytes + 8, 0x1p31F), {"the highest number of diagonals"});
    expectRefused(claiming(kFirstRow + 2 * kRowBytes + 8, 65.0F), {"the highest number of off-diagonals is 65, expected -1 to 64"});
    expectRefused(claiming(kFirstRow + 4 * kRowBytes + 8, 1.5F), {"the highest number of opacities is 1.5, expected 0 to 1"});
    expectRefused(claiming(kFirstRow + 4 * kRowBytes + 4, -0.5F), {"the lowest number of opacities is -0.5, expected 0 to 1"});
}

TEST(BlobFile, WordsBeyondTheirBitsAreNamed) {
    auto attributes = wordsByHand();
    attributes[4].planes = {"\x0f\x10"s};
    expectRefused(fileOf(2, 0, attributes), {"a plane of the opacities has 16 for blob 1, expected at most 15"});
    attributes = wordsByHand();
    attributes[0] = {4, 2, -5, 10, {"\x27\xff"s}};
    expectRefused(fileOf(2, 1, attributes), {"the Morton code of the centre of blob 1 is 294, expected at most 255"});
    attributes[0].planes = {"\x27"s};
    expectRefused(fileOf(2, 1, attributes), {"centres", "zstd"});
    attributes[0].planes = {"\x27\x28\x29"s};
    expectRefused(fileOf(2, 1, attributes), {"a plane of the centres has 3 bytes, expected at most 2"});
}

TEST(BlobFile, ClaimedCountsTakeNoMemory) {
    expectRefused(claiming(20, uint32_t{(1U << 24U) + 1}), {"the number of blobs", "16777217, expected 0 to 16777216", "24 bits"});
    for (const uint32_t count : {1U << 24U, 1U << 20U, 200'000U}) {
        EXPECT_LT(peakOf([&] {
                      expectRefused(claiming(20, count), {fmt::format("the number of blobs is {}", count), "truncated"});
                  }),
                  uint64_t{8} << 20U);
    }
    expectRefused(claiming(20, uint32_t{50'000}), {"a plane of the centres"});  // which zstd might hold
    expectRefused(claiming(20, uint32_t{1}), {"a plane of the centres has 2 bytes, expected at most 1"});
    for (const uint32_t size : {3U, 0xffffffffU}) expectRefused(claiming(kHeaderBytes, size), {"a plane of the centres has", "at most 2"});
}

TEST(BlobFile, EqualBlobsAreNoBomb) {
    Blobs blobs = pictureLikeBlobs(1, true);
    blobs = picked(blobs, std::vector<size_t>(1'000'000, 0));
    const auto bytes = encodeBlobs(blobs, {.bits = {8, 8, 8, 8, 8}});
    EXPECT_GT(bytes.size(), 100'000U) << "a small file of so many blobs would be refused";
    EXPECT_EQ(decodeBlobs(bytes, "a").count(), blobs.count());
}

TEST(BlobFile, BitsOutOfRangeAreNamed) {
    const char* names[] = {"centres", "diagonals", "off-diagonals", "colours", "opacities"};
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        for (const int bits : {-1, 0, 17, 1000}) {
            BlobEncoding encoding;
            encoding.bits[a] = bits;
            expectInputError([&] { encodeBlobs(pictureLikeBlobs(2, true), encoding); },
                             {fmt::format("bits of {}: {}, expected 1 to 16", names[a], bits)});
        }
    }
}

std::string errorOf(const Blobs& blobs) {
    try {
        encodeBlobs(blobs, {});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(BlobFile, BlobsThatNoFileCanHoldAreNamed) {
    const Blobs good = pictureLikeBlobs(3, false);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Blobs blobs = good;
    blobs.centres[1].y = nan;
    EXPECT_TRUE(errorOf(blobs).starts_with("number 1 of the centres of blob 1 is nan")) << errorOf(blobs);
    for (const float wrong : {0.0F, -1.0F, 1e-30F, 1e30F, nan}) {
        blobs = good, blobs.factors[2].x = wrong;
        EXPECT_TRUE(errorOf(blobs).starts_with("number 0 of the diagonals of blob 2 is")) << wrong << errorOf(blobs);
    }
    blobs = good, blobs.factors[0].y = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(errorOf(blobs).starts_with("number 0 of the off-diagonals of blob 0 is inf")) << errorOf(blobs);
    blobs = good, blobs.opacities[0] = 1.25F;
    EXPECT_EQ(errorOf(blobs), "number 0 of the opacities of blob 0 is 1.25, expected 0 to 1");
    blobs = good, blobs.background.y = nan;
    EXPECT_NE(errorOf(blobs).find("background"), std::string::npos);
    for (const uint32_t side : {0U, 65537U}) {
        blobs = good, blobs.width = side;
        EXPECT_NE(errorOf(blobs).find(fmt::format("{}x512 pixels, expected 1 to 65536", side)), std::string::npos) << errorOf(blobs);
    }
    blobs = good, blobs.centres.resize(kMostBlobs + 1);
    EXPECT_NE(errorOf(blobs).find("16777217 blobs, expected at most 16777216"), std::string::npos) << errorOf(blobs);
}

TEST(BlobFile, FilesHaveAnyNameAndAreReplacedWhole) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "a\xff\n.blobs";
    const Blobs blobs = pictureLikeBlobs(20, false);
    writeBlobs(path, pictureLikeBlobs(30, true), {});
    writeBlobs(path, blobs, {});
    EXPECT_TRUE(readFile(path) == encodeBlobs(blobs, {}));
    EXPECT_TRUE(rowsOf(readBlobs(path)) == rowsOf(decoded(blobs, {})));
    Blobs wrong = blobs;
    wrong.opacities[0] = 2;
    EXPECT_THROW(writeBlobs(path, wrong, {}), Error);
    EXPECT_EQ(readBlobs(path).count(), 20U);
    fs::resize_file(path, 50);
    expectInputError([&] { readBlobs(path); }, {path.string(), "the header", "found 50 bytes, expected 100"});
    expectInputError([&] { readBlobs(scratch.path() / "none.blobs"); }, {"none.blobs"});
}

}  // namespace
}  // namespace splat
