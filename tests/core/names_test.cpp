#include <splatwright/core/names.h>

#include <array>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>

namespace splat {
namespace {

using namespace std::string_literals;

const std::vector<std::string> kPlain{"", "a.png", "sub dir/IMG 0001.JPG", "Größe/写真 — 1.jpg", "\xf0\x9f\x98\x80.png", "a~b", "~", "..."};

struct Hostile {
    std::string name, escaped;
};
const std::vector<Hostile> kHostile{
    {"a\nb", "a\\nb"},
    {"a\n  b", "a\\n  b"},
    {"\r", "\\r"},
    {"\t", "\\t"},
    {"\x1b[2J", "\\x1b[2J"},
    {"\x7f", "\\x7f"},
    {"a\0b"s, "a\\x00b"},
    {"\xff", "\\xff"},
    {"M\xfcnchen.jpg", "M\\xfcnchen.jpg"},
    {"\xc2\x9b"
     "2J",
     "\\xc2\\x9b"
     "2J"},  // a control sequence introducer of eight bits
    {"\xe2\x80\xae"
     "gnp.exe",
     "\\xe2\\x80\\xae"
     "gnp.exe"},                          // reverses the direction of what follows
    {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},  // a line separator
    {"\xc3", "\\xc3"},                    // cut short
    {"\xe2\x82", "\\xe2\\x82"},
    {"\x80", "\\x80"},
    {"\xc0\xaf", "\\xc0\\xaf"},  // '/' in a longer form
    {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
    {"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},  // the largest codes that have a shorter form
    {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"},
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},  // half of a surrogate pair
    {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
    {"a\\b", "a\\\\b"},
    {"\\xff", "\\\\xff"},
    {"\\n", "\\\\n"},
};

TEST(Names, PlainOnesStayAsTheyAre) {
    for (const std::string& name : kPlain) {
        EXPECT_EQ(escapedName(name), name);
        EXPECT_EQ(printable(name), name);
    }
}

TEST(Names, HostileOnesAreEscaped) {
    for (const Hostile& h : kHostile) EXPECT_EQ(escapedName(h.name), h.escaped);
}

TEST(Names, EscapedOnesAreJsonOnOneLineAndStayDifferent) {
    std::set<std::string> seen(kPlain.begin(), kPlain.end());
    for (const Hostile& h : kHostile) {
        const std::string text = escapedName(h.name);
        EXPECT_TRUE(seen.insert(text).second) << text;
        const auto json = nlohmann::json::parse(nlohmann::json(text).dump());
        EXPECT_EQ(json.get<std::string>(), text);
        EXPECT_EQ(text.find_first_of("\n\r\x1b"s), std::string::npos) << text;
        EXPECT_EQ(printable(text), text);
    }
}

TEST(Names, EveryByteIsEitherPlainOrEscaped) {
    std::set<std::string> seen;
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            const std::string text = escapedName(std::string{static_cast<char>(first), static_cast<char>(second)});
            EXPECT_TRUE(seen.insert(text).second) << first << " " << second;
            EXPECT_NO_THROW(nlohmann::json(text).dump()) << first << " " << second;
        }
    }
}

TEST(Names, MessagesKeepTheirListsAndBackslashesButNoOtherLineBreak) {
    EXPECT_EQ(printable("expected one of\n  colmap\n  transforms"), "expected one of\n  colmap\n  transforms");
    EXPECT_EQ(printable("a\nerror: forged\n"), "a\\nerror: forged\\n");
    EXPECT_EQ(printable("C:\\x\xff\x1b[31m"), "C:\\x\\xff\\x1b[31m");
    EXPECT_EQ(printable(printable("a\nb\xff")), printable("a\nb\xff"));
    EXPECT_EQ(indented("one\ntwo\n\n"), "one\n  two");
    EXPECT_EQ(printable(indented("one\ntwo\n")), "one\n  two");
}

TEST(Names, LongTextIsCutAtACharacterAndTellsItsKindApart) {
    const std::string kept(80, 'x');
    EXPECT_EQ(shortened(kept, 80), kept);
    for (size_t longest = 32; longest < 40; ++longest) {
        std::string text, other;
        for (int i = 0; i < 50; ++i) text += "写";
        other = text + "!";
        EXPECT_LE(shortened(text, longest).size(), longest);
        EXPECT_GE(shortened(text, longest).size(), longest - 2);
        EXPECT_EQ(escapedName(shortened(text, longest)), shortened(text, longest));
        EXPECT_NE(shortened(text, longest), shortened(other, longest));
        EXPECT_EQ(shortened(text, longest), shortened(text, longest));
    }
}

TEST(OutputNames, PlainOnesAreKept) {
    OutputNames names;
    EXPECT_EQ(names.take("0001", ".png"), "0001.png");
    EXPECT_EQ(names.take("left/first", ".png"), "left_first.png");
    EXPECT_EQ(names.take("写真", ".png"), "写真.png");
    EXPECT_EQ(names.take("", ".png"), "view.png");
}

TEST(OutputNames, NoneLeavesItsFolderOrIsLong) {
    OutputNames names;
    for (const std::string& name : std::vector<std::string>{"../../etc/passwd", "/etc/passwd", "..", ".", "a\\..\\b", "a\nb", "\xff",
                                                            "a\0b"s, std::string(5000, 'x'), std::string(300, '\x01')}) {
        const std::string file = names.take(name, ".png");
        EXPECT_EQ(file.find_first_of("/\\\n\0"s), std::string::npos) << file;
        EXPECT_LE(file.size(), 124u);
        EXPECT_EQ(escapedName(file), file);
        EXPECT_NE(file, "..");
        EXPECT_NE(file, ".");
    }
}

TEST(OutputNames, ThoseThatWouldMeetAreTakenOnce) {
    OutputNames names;
    std::set<std::string> files;
    const std::string longName(500, 'y');
    const std::vector<std::string> all{"a/b",          "a_b",          "a_b_2",        "a_b",  "a\\b", "a\nb", "a\xff", "a\\xff",
                                       longName + "1", longName + "2", longName + "1", "view", "",     "a\tb", "a\\tb"};
    for (const std::string& name : all) EXPECT_TRUE(files.insert(names.take(name, ".png")).second) << name;
    EXPECT_EQ(files.size(), all.size());
}

TEST(Names, HashesAreThoseOfFnv1a) {
    EXPECT_EQ(hashOf(""), "cbf29ce484222325");   // the published offset basis
    EXPECT_EQ(hashOf("a"), "af63dc4c8601ec8c");  // published test vector
    EXPECT_NE(hashOf("ab"), hashOf("ba"));
}

}  // namespace
}  // namespace splat
