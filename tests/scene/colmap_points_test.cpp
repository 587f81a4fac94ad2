// COLMAP's points as splats, beyond what tests of every format say of them (formats_test.cpp).
#include "point_samples.h"

namespace splat {
namespace {

using namespace test;

TEST(ColmapPoints, FilesOfOtherNumbersAreNotTakenForThem) {
    const Scratch scratch;
    const std::string content = colmapPointsSample(3).content;
    const auto isRead = [&](const std::string& bytes) {
        try {
            return readSplats(scratch.write("points", bytes)).count() == 3;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("neither the signature"), std::string::npos) << error.what();
            return false;
        }
    };
    EXPECT_TRUE(isRead(content));
    for (const auto& [at, what] :
         std::map<size_t, const char*>{{4, "a number of points above 2^32"}, {22, "no position"}, {49, "no error"}}) {
        std::string other = content;
        for (size_t k = 0; k < 2; ++k) other[at + k] = '\x7f';
        other[at + 1] = '\xff';
        if (at == 4) other[at] = 1;
        EXPECT_FALSE(isRead(other)) << what;
    }
    EXPECT_FALSE(isRead(std::string(8, '\0') + content.substr(8))) << "no points";
    EXPECT_FALSE(isRead(content.substr(0, 58)));
    EXPECT_EQ(readSplats(scratch.write("a.splat", splatSample(9).content)).count(), 9u);
}

TEST(ColmapPoints, ATextIsAsLongAsItsCommentSays) {
    const Scratch scratch;
    const std::string text = colmapTextPointsSample(5).content;
    const std::string shorter = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
    expectInputError([&] { readSplats(scratch.write("a.txt", shorter)); }, {"a.txt", "found 4 points, expected 5"});
    expectInputError([&] { readSplats(scratch.write("a.txt", text.substr(0, text.size() - 1))); }, {"a.txt", "last line is incomplete"});
    const std::string bare = text.substr(text.find("\n10 ") + 1);
    EXPECT_EQ(readSplats(scratch.write("a.txt", bare)).count(), 5u);
    EXPECT_EQ(readSplats(scratch.write("a.txt", bare.substr(0, bare.size() - 1))).count(), 5u);
}

TEST(ColmapPoints, NoneAreRefused) {
    const Scratch scratch;
    expectInputError([&] { readSplats(scratch.write("a.bin", std::string(8, '\0'))); },
                     {"a.bin", "found no points, expected at least one"});
    expectInputError([&] { readSplats(scratch.write("a.txt", "# nothing\n")); }, {"a.txt", "found no points, expected at least one"});
}

}  // namespace
}  // namespace splat
