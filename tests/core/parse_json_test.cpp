#include <splatwright/core/parse_json.h>

#include <limits>

#include <nlohmann/json.hpp>

#include "../scene/scratch.h"

namespace splat {
namespace {

using namespace test;
using nlohmann::json;

std::string repeated(const std::string& text, size_t count) {
    std::string all;
    for (size_t i = 0; i < count; ++i) all += text;
    return all;
}

struct Nest {
    std::string open, close;
};
const std::vector<Nest> kNests{{"[", "]"}, {"{\"a\":", "}"}, {"[\n{\"]\": ", "}]"}};

std::string nested(const Nest& nest, size_t times) { return repeated(nest.open, times) + "1" + repeated(nest.close, times); }

TEST(ParseJson, ReadsUpTo64LevelsAndRefusesMore) {
    for (const Nest& nest : kNests) {
        const size_t each = nest.close.size();
        EXPECT_NO_THROW(parseJson(nested(nest, kMaxJsonDepth / each), "file")) << nest.open;
        expectInputError([&] { parseJson(nested(nest, kMaxJsonDepth / each + 1), "file"); }, {"file: ", "nested", "at most 64"});
        expectInputError([&] { parseOrderedJson(nested(nest, kMaxJsonDepth / each + 1), "file"); }, {"file: ", "nested", "at most 64"});
    }
}

TEST(ParseJson, NestingThatWouldExhaustTheStackIsAnError) {
    for (const Nest& nest : kNests) {
        for (const std::string& text : {nested(nest, 100'000), repeated(nest.open, 100'000)})
            expectInputError([&] { parseJson(text, "file"); }, {"nested"});
    }
}

TEST(ParseJson, SaysLineAndColumnOfWhatIsTooDeep) {
    expectInputError([&] { parseJson("{\n \"a\": 1,\n  \"b\": " + repeated("[", 64), "file"); }, {"line 3, column 71"});
    expectInputError([&] { parseJson(repeated("[", 65), "file"); }, {"line 1, column 65"});
    expectInputError([&] { parseJson("{\n\"a\": 1,,", "file"); }, {"file: not JSON", "line 2, column 8"});
}

TEST(ParseJson, BracketsSideBySideOrInStringsAreNotNested) {
    EXPECT_EQ(parseJson("[" + repeated("[],", 1000) + "[]]", "file").size(), 1001u);
    const std::string brackets = repeated("[{", 100) + "\\\"" + repeated("[", 100) + "\\\\";
    EXPECT_EQ(parseJson("[\"" + brackets + "\", [\"[\"]]", "file").size(), 2u);
}

TEST(ParseJson, NumbersThatPythonWritesAreNullOutsideStrings) {
    EXPECT_EQ(parseJson(R"([NaN, Infinity, -Infinity, "NaN \" NaN", 1])", "file"), json({nullptr, nullptr, nullptr, "NaN \" NaN", 1}));
}

TEST(ReadJson, NamesTheFile) {
    const Scratch scratch;
    const auto path = scratch.write("a.json", "{");
    expectInputError([&] { readJson(path); }, {path.string() + ": not JSON"});
    expectInputError([&] { readJson(scratch.path() / "none"); }, {"none: cannot be read"});
}

TEST(JsonText, ReplacesWhatIsNoUtf8) {
    const json value{{"name",
                      "a\xff"
                      "b"},
                     {"list", {"\xe2\x82", 1}}};
    EXPECT_EQ(jsonText(value),
              "{\"list\":[\"\xef\xbf\xbd\",1],\"name\":\"a\xef\xbf\xbd"
              "b\"}");
    EXPECT_EQ(jsonText(json{{"a", 1}}, 2), "{\n  \"a\": 1\n}");
    EXPECT_EQ(jsonText(nlohmann::ordered_json{{"b", 1}, {"a", 2}}), "{\"b\":1,\"a\":2}");
}

TEST(WholeNumber, IsNothingWhereTheTypeCannotHoldIt) {
    const auto as32 = [](const json& value) { return wholeNumber<uint32_t>(value); };
    EXPECT_EQ(as32(0), 0u);
    EXPECT_EQ(as32(uint64_t{4294967295}), 4294967295u);
    for (const json& value :
         {json(-1), json(uint64_t{4294967296}), json(uint64_t{1} << 40u), json(1.0), json(1e300), json("1"), json(true), json(),
          json::array({1}), json(std::numeric_limits<uint64_t>::max()), json(std::numeric_limits<int64_t>::min())})
        EXPECT_EQ(as32(value), std::nullopt) << value.dump();
    EXPECT_EQ(wholeNumber<int32_t>(json(-5)), -5);
    EXPECT_EQ(wholeNumber<int32_t>(json(uint64_t{1} << 31u)), std::nullopt);
    EXPECT_EQ(wholeNumber<uint64_t>(json(std::numeric_limits<uint64_t>::max())), std::numeric_limits<uint64_t>::max());
}

}  // namespace
}  // namespace splat
