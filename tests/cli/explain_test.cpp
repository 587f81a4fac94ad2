#include <numeric>
#include <regex>

#include <splatwright/shared/frame.h>
#include "run.h"

namespace splat {
namespace {

using namespace test;

struct Explain : testing::Test {
    Explain() { expectSuccess(splatwright({"train", data, "-o", scratch.path() / "run", "--steps", "2", "-q"})); }

    Outcome explain(Arguments more) const {
        more.insert(more.begin(), {"explain", scratch.path() / "run/splats.ply", data});
        return splatwright(more);
    }
    json explained(Arguments more) const {
        const fs::path file = scratch.path() / "pixel.json";
        more.insert(more.end(), {"--json", file});
        expectSuccess(explain(more));
        return json::parse(readTextFile(file));
    }

    const Scratch scratch;
    const fs::path data = tinyDataset(scratch);
};

TEST_F(Explain, WritesWhatHappenedToThePixel) {
    const json found = explained({"--pixel", "17,13", "--validate"});
    EXPECT_EQ(found["pixel"], json({17, 13}));
    EXPECT_EQ(found["tile"], json({1, 0}));
    EXPECT_EQ(found["size"], json({32, 24}));
    const size_t splats = found["splats"].size();
    ASSERT_GT(splats, 2u);
    EXPECT_EQ(found["emitted"].size(), splats);
    EXPECT_EQ(found["blend"]["steps"].size(), splats);
    EXPECT_TRUE(found["blend"]["equal_bits"]);
    EXPECT_EQ(found["radix"]["passes"].size(), 3u);
    std::vector<size_t> sorted(splats);
    std::iota(sorted.begin(), sorted.end(), size_t{0});
    EXPECT_EQ(found["radix"]["passes"][2]["after"], json(sorted));
    EXPECT_EQ(found["bitonic"]["ranks"].size(), found["bitonic"]["steps"].size() + 1);
    EXPECT_EQ(found["tile_colours"].size(), shared::kTilePixels);
    EXPECT_EQ(found["backward"]["active"].size(), found["reached"]);
    EXPECT_FALSE(found["backward"]["trees"].empty());
    EXPECT_EQ(found["draw"]["search"]["source"],
              found["draw"]["search"]["neighbours"][std::min(6u, found["draw"]["search"]["source"].get<uint32_t>())]["gaussian"]);
}

/// The tree's bits are those that its method adds, in a file as well.
TEST_F(Explain, WritesNumbersWithAllTheirBits) {
    const json backward = explained({"--pixel", "3,3"})["backward"];
    for (const json& method : backward["methods"]) {
        if (method["name"] != "tree-cas") continue;
        for (size_t tree = 0; tree < backward["trees"].size(); ++tree)
            EXPECT_EQ(method["sums"][tree], backward["trees"][tree]["levels"].back());
        return;
    }
    FAIL() << "tree-cas is missing";
}

TEST_F(Explain, TakesTheViewOfThatName) {
    EXPECT_EQ(explained({"--pixel", "0,0"})["view"], "0000.png");
    EXPECT_EQ(explained({"--pixel", "0,0", "--view", "0003.png"})["view"], "0003.png");
    expectFailure(explain({"--pixel", "0,0", "--view", "0003.jpg", "--json", scratch.path() / "a"}), 2,
                  {"--view", "'0003.jpg'", "near it: 000"});
}

/// Browsers show it without the net, and a name in it closes nothing.
TEST_F(Explain, WritesAPageThatLoadsNothing) {
    const fs::path page = scratch.path() / "pixel.html";
    expectParts(explain({"--pixel", "31,23", "--html", page}).out, {"0000.png: pixel 31,23 in tile 1,1 with "});
    const std::string text = readTextFile(page);
    EXPECT_TRUE(text.starts_with("<!DOCTYPE html>"));
    for (const char* mark : {"/* data */", "/* picture */", "/* style.css */", "/* scripts */"})
        EXPECT_EQ(text.find(mark), std::string::npos) << mark;
    EXPECT_FALSE(std::regex_search(text, std::regex(R"((src|href)\s*=\s*["']?(https?:|//)|@import|fetch\()")));
    const size_t begin = text.find(R"(type="application/json">)") + 24;
    const json found = json::parse(text.substr(begin, text.find("</script>", begin) - begin));
    EXPECT_EQ(found["pixel"], json({31, 23}));
    EXPECT_NE(text.find("const picture = \"data:image/jpeg;base64,"), std::string::npos);
}

TEST_F(Explain, RefusesWhatItCannotShow) {
    const fs::path out = scratch.path() / "a.json";
    expectFailure(explain({"--pixel", "32,0", "--json", out}), 2, {"pixel 32,0", "32x24"});
    expectFailure(explain({"--pixel", "5", "--json", out}), 2, {"--pixel", "'5'", "X,Y"});
    expectFailure(explain({"--pixel", "1,1"}), 2, {"--html", "--json"});
    expectFailure(explain({"--json", out}), 2, {"--pixel"});
    EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace splat
