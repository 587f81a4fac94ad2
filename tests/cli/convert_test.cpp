// `convert`: what the command makes of its files and options; operations have tests of their own (tests/convert).
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/page/page_viewer.h>
#include "../scene/splat_samples.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

class Convert : public testing::Test {
protected:
    /// A PLY of `count` splats whose positions count upwards.
    fs::path splats(const std::string& name, size_t count, int degree = 0) const {
        Gaussians g;
        g.resize(count, degree);
        for (size_t i = 0; i < count; ++i) {
            g.means[i] = glm::vec3(static_cast<float>(i), 1, 2);
            g.logScales[i] = glm::vec3(-1);
            g.logitOpacities[i] = 0;
        }
        for (glm::vec3& sh : g.sh) sh = glm::vec3(0.25f);
        writeSplats(scratch.path() / name, g);
        return scratch.path() / name;
    }
    fs::path out(const std::string& name) const { return scratch.path() / name; }

    const Scratch scratch;
};

TEST_F(Convert, WritesEveryFormatByItsName) {
    const fs::path in = splats("in.ply", 300, 3);
    for (const SplatWriter* writer : splatWriters()) {
        SCOPED_TRACE(writer->name);
        const fs::path file = out(std::string("a.") + writer->name);
        const Outcome outcome = splatwright({"convert", in, file, "--to", writer->name});
        expectParts(splatwright({"convert", "--help"}).out, {writer->name});
        if (std::string_view(writer->name) == "html" && pageViewer().empty()) {
            expectParts(outcome.err, {file.string(), "no viewer for pages", "bootstrap.sh deps"});
            continue;
        }
        expectSuccess(outcome);
        fs::create_directory(out("again"));
        const fs::path again = out("again") / file.filename();
        writer->write(again, readSplats(in));
        EXPECT_EQ(readFile(file), readFile(again));
    }
}

TEST_F(Convert, ReadsByTheNameOfAFormatWhateverTheFileIsCalled) {
    const fs::path in = splats("in.splat", 3);
    fs::rename(in, out("named.wrongly"));
    EXPECT_EQ(splatwright({"convert", out("named.wrongly"), out("a.ply")}).code, 2);
    expectSuccess(splatwright({"convert", out("named.wrongly"), out("a.ply"), "--from", "splat"}));
    EXPECT_EQ(readSplats(out("a.ply")).count(), 3u);
    expectParts(splatwright({"convert", in, out("c.ply"), "--from", "word"}).err, {"'word'", "compressed-ply, ply", "splat"});
}

TEST_F(Convert, ChangesComeInTheOrderInWhichTheyStand) {
    const fs::path in = splats("in.ply", 2);
    expectSuccess(splatwright({"convert", in, out("a.ply"), "--translate", "-1,0,0", "--scale", "2", "--translate", "0,0,-4"}));
    EXPECT_EQ(readSplats(out("a.ply")).means[0], glm::vec3(-2, 2, 0));
    expectSuccess(splatwright({"convert", "--scale", "2", "--translate=-1,0,0", in, "--translate", "0,0,-4", out("b.ply")}));
    EXPECT_EQ(readSplats(out("b.ply")).means[0], glm::vec3(-1, 2, 0));
}

/// Statistics are of all splats, so that these are in memory with --json and pass in blocks without it.
TEST_F(Convert, InBlocksMakesTheSameFile) {
    const fs::path in = splats("in.ply", 9000, 2);
    for (const char* name : {"a.ply", "a.splat", "a.glb"}) {
        SCOPED_TRACE(name);
        Arguments arguments{"convert", in,        out(name), "--translate", "-1,0,0", "--sphere", "0,0,0,8000", "--sh-degree",
                            "1",       "--scale", "2"};
        const Outcome inBlocks = splatwright(arguments);
        expectSuccess(inBlocks);
        expectParts(inBlocks.out, {fmt::format("{} splats of SH degree 1, ", 8001)});
        fs::create_directories(out("whole"));
        arguments[2] = (out("whole") / name).string();
        arguments.emplace_back("--json");
        expectSuccess(splatwright(arguments));
        EXPECT_EQ(readFile(out(name)), readFile(out("whole") / name));
    }
}

TEST_F(Convert, TheJitterOfAGridMayStandBeforeOrAfterIt) {
    const fs::path in = splats("in.ply", 5, 1);
    expectSuccess(splatwright({"convert", in, out("a.ply"), "--grid", "3x2", "--jitter", "0.5"}));
    expectSuccess(splatwright({"convert", in, out("b.ply"), "--jitter", "0.5", "--grid", "3x2"}));
    expectSuccess(splatwright({"convert", in, out("still.ply"), "--grid", "3x2"}));
    EXPECT_EQ(readSplats(out("a.ply")).count(), 30u);
    EXPECT_EQ(readFile(out("a.ply")), readFile(out("b.ply")));
    EXPECT_NE(readFile(out("a.ply")), readFile(out("still.ply")));
    const Outcome alone = splatwright({"convert", in, out("c.ply"), "--jitter", "0.5"});
    EXPECT_EQ(alone.code, 2);
    expectParts(alone.err, {"--jitter", "--grid"});
}

TEST_F(Convert, SeveralInputsBecomeOneOfTheHighestDegree) {
    expectSuccess(splatwright({"convert", splats("a.ply", 2, 0), splats("b.ply", 3, 2), out("c.ply")}));
    const Gaussians g = readSplats(out("c.ply"));
    ASSERT_EQ(g.count(), 5u);
    EXPECT_EQ(g.shDegree, 2);
    EXPECT_EQ(g.sh[8], glm::vec3(0)) << "the first file has no such coefficient";
    EXPECT_EQ(g.sh[2 * 9 + 8], glm::vec3(0.25f));
    EXPECT_EQ(g.means[4].x, 2);
}

TEST_F(Convert, AnOutputThatExistsStaysUnlessForced) {
    const fs::path in = splats("in.ply", 2), old = scratch.write("old.ply", "content");
    const Outcome refused = splatwright({"convert", in, old});
    EXPECT_EQ(refused.code, 2);
    expectParts(refused.err, {old.string(), "exists", "--force"});
    EXPECT_EQ(fs::file_size(old), 7u);
    expectSuccess(splatwright({"convert", in, old, "--force"}));
    EXPECT_EQ(readSplats(old).count(), 2u);
}

TEST_F(Convert, SummariesComeWithOrWithoutAnOutput) {
    const fs::path in = splats("in.ply", 4);
    expectParts(splatwright({"convert", in, "--summary"}).out, {"4 splats", "property", "opacity", "rot_3"});
    const json summary = json::parse(splatwright({"convert", in, out("a.splat"), "--json"}).out);
    EXPECT_EQ(summary["splats"], 4);
    EXPECT_EQ(summary["columns"]["x"]["max"], 3);
    EXPECT_TRUE(fs::exists(out("a.splat")));
    const Outcome alone = splatwright({"convert", in});
    EXPECT_EQ(alone.code, 2);
    expectParts(alone.err, {"one file", "--summary"});
}

TEST_F(Convert, AReportSaysWhatWritingCost) {
    const fs::path in = splats("in.ply", 300, 1);
    const Outcome exact = splatwright({"convert", in, out("a.ply"), "--report"});
    expectSuccess(exact);
    expectParts(exact.out, {"a.ply: 300 splats", "renders of 8 views before and after writing: identical\n",
                            fmt::format("{} bytes, ", fs::file_size(out("a.ply")))});
    // The extension is another format's.
    const Outcome lossy = splatwright({"convert", in, out("a.bin"), "--to", "compressed-ply", "--report", "--json"});
    expectSuccess(lossy);
    const json report = json::parse(lossy.out)["report"];
    EXPECT_GT(report["psnr"], 40);
    EXPECT_EQ(report["bytes"], fs::file_size(out("a.bin")));
    EXPECT_EQ(report["bytes_per_splat"], static_cast<double>(fs::file_size(out("a.bin"))) / 300);
    expectParts(splatwright({"convert", in, out("a.ssog"), "--lod", "--report"}).out, {"in levels", "before and after writing: PSNR "});
    expectFailure(splatwright({"convert", in, "--json", "--report"}), 2, {"--report", "found one file"});
    expectFailure(splatwright({"convert", in, out("none.ply"), "--sphere", "900,0,0,1", "--report"}), 2, {"--report", "found 0 splats"});
}

TEST_F(Convert, WhatCannotBeWrittenIsSaidBeforeAnythingIsRead) {
    const Outcome word = splatwright({"convert", out("missing.ply"), out("a.ply"), "--to", "word"});
    EXPECT_EQ(word.code, 2);
    expectParts(word.err, {"'word'", "spz"});
    const Outcome text = splatwright({"convert", out("missing.ply"), out("a.txt")});
    EXPECT_EQ(text.code, 2);
    expectParts(text.err, {"a.txt", "PLY (*.ply)"});
    EXPECT_EQ(splatwright({"convert", out("missing.ply"), out("a.ply"), "--box", "1,2"}).code, 2);
}

TEST_F(Convert, FiltersThatLeaveNothingWriteWhatTheFormatCanHold) {
    const fs::path in = splats("in.ply", 4);
    const Outcome none = splatwright({"convert", in, out("a.splat"), "--sphere", "100,0,0,1"});
    EXPECT_EQ(none.code, 2);
    expectParts(none.err, {"a.splat", "no splats"});
    EXPECT_FALSE(fs::exists(out("a.splat")));
}

TEST_F(Convert, LevelsOfDetailAreWrittenByName) {
    const fs::path in = splats("in.ply", 300, 1);
    fs::create_directory(out("folder"));
    for (const fs::path& file : {out("a.ssog"), out("folder") / "lod-meta.json"}) {
        const Outcome outcome = splatwright({"convert", in, file, "--lod"});
        expectSuccess(outcome);
        expectParts(outcome.out, {file.string() + ": 300 splats in 1 nodes, 300, 75, 18, 4, 1 in levels, "});
        EXPECT_EQ(readSplats(file).count(), 300u);
        expectParts(splatwright({"convert", in, file}).err, {file.string() + ": exists already"});
    }
    const Outcome other = splatwright({"convert", in, out("a.sog"), "--lod"});
    EXPECT_EQ(other.code, 2);
    expectParts(other.err, {"a.sog: found another name, expected lod-meta.json or *.ssog for levels of detail"});
}

}  // namespace
}  // namespace splat
