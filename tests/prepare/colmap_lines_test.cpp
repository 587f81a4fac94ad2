#include <splatwright/prepare/colmap_lines.h>

#include <gtest/gtest.h>

namespace splat::prepare {
namespace {

std::pair<uint64_t, uint64_t> shareOf(std::string_view line) {
    const auto share = shareIn(line);
    return share ? std::pair(share->done, share->total) : std::pair<uint64_t, uint64_t>();
}

using Pair = std::pair<uint64_t, uint64_t>;

TEST(ColmapLines, ProgressIsReadFromOldAndNewVersions) {
    EXPECT_EQ(shareOf("Processed file [3/20]"), Pair(3, 20));
    EXPECT_EQ(shareOf("I20250705 10:00:00.1 7 feature_extraction.cc:271] Processed file [3/20]"), Pair(3, 20));
    EXPECT_EQ(shareOf("Matching image [1/9] in 0.100s"), Pair(1, 9));
    EXPECT_EQ(shareOf("Matching block [2/4, 1/4] in 3.965s"), Pair(5, 16));
    EXPECT_EQ(shareOf("I20250705 10:00:00.1 7 pairing.cc:211] Processing block [4/4, 4/4]"), Pair(16, 16));
    EXPECT_EQ(shareOf("Processing image [7/7]"), Pair(7, 7));
}

TEST(ColmapLines, OtherLinesAreNoProgress) {
    for (const char* line : {"", "Name: [1/2].png", "Processed file [", "Processed file [x/2]", "Processed file [3/0]",
                             "Processed file [3/2]", "Matching block [0/2, 1/2]", "Processed file [99999999999999999999999/2]"})
        EXPECT_FALSE(shareIn(line)) << line;
}

TEST(ColmapLines, RegisteringNamesTheImageAndTheirNumber) {
    for (const char* line :
         {"Registering image #28 (19)", "I2025 incremental_pipeline.cc:607] Registering image #28 (num_reg_frames=19)"}) {
        const auto found = registeringIn(line);
        ASSERT_TRUE(found) << line;
        EXPECT_EQ(found->image, 28u);
        EXPECT_EQ(found->registered, 19u);
    }
    EXPECT_FALSE(registeringIn("Registering image #x (19)"));
    EXPECT_FALSE(registeringIn("Registering image with structure-less fallback"));
}

TEST(ColmapLines, ExtractionListsImagesInOrderWithTheirProblems) {
    ExtractedImages extracted;
    for (const char* line : {"  Features:        9", "Processed file [1/3]", "  Name:            a b.png", "  Features:        328",
                             "Processed file [2/3]", "  Name: c.png", "  ERROR: Failed to read image file format.", "Processed file [3/3]",
                             "I2025 feature_extraction.cc:1]   Name:            d/e.jpg", "  Features:        0"})
        extracted.add(line);
    ASSERT_EQ(extracted.images().size(), 3u);
    EXPECT_EQ(extracted.images()[0].name, "a b.png");
    EXPECT_EQ(extracted.images()[0].features, 328u);
    EXPECT_EQ(extracted.images()[1].problem, "Failed to read image file format.");
    EXPECT_EQ(extracted.images()[2].name, "d/e.jpg");
    EXPECT_EQ(extracted.images()[2].features, 0u);
}

}  // namespace
}  // namespace splat::prepare
