// Training that starts from a file of splats, and that saves in other formats.
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/page/page_viewer.h>
#include "run.h"

namespace splat {
namespace {

using namespace test;

class StartAndSave : public testing::Test {
protected:
    /// Splats around the cameras' target, with colours that depend on the view.
    fs::path splats(size_t count) const {
        Gaussians g;
        g.resize(count, 2);
        for (size_t i = 0; i < count; ++i) {
            g.means[i] = glm::vec3(0.1f * static_cast<float>(i), -0.2f, 0.3f);
            g.logScales[i] = glm::vec3(-3, -2, -1);
            g.logitOpacities[i] = 1;
        }
        for (glm::vec3& sh : g.sh) sh = glm::vec3(0.125f);
        writeSplats(scratch.path() / "start.ply", g);
        return scratch.path() / "start.ply";
    }
    Arguments train(const std::string& out, const Arguments& more) const {
        Arguments line{"train", data, "-o", scratch.path() / out, "--strategy", "fixed", "--steps", "1"};
        line.insert(line.end(), more.begin(), more.end());
        return line;
    }

    const Scratch scratch;
    const fs::path data = tinyDataset(scratch);
};

TEST_F(StartAndSave, AFileOfSplatsIsWhereTrainingStarts) {
    const fs::path start = splats(7);
    expectSuccess(splatwright(train("run", {"--init", start})));
    const Gaussians before = readSplats(start), after = readSplats(scratch.path() / "run" / "splats.ply");
    ASSERT_EQ(after.count(), 7u);
    ASSERT_EQ(after.shDegree, 3);
    for (size_t i = 0; i < 7; ++i) {
        EXPECT_LT(glm::distance(after.means[i], before.means[i]), 0.02f) << "in the dataset's own frame";
        EXPECT_LT(glm::distance(after.logScales[i], before.logScales[i]), 0.05f);
        EXPECT_NEAR(after.logitOpacities[i], 1, 0.2);
        EXPECT_LT(glm::distance(after.sh[16 * i + 8], glm::vec3(0.125f)), 0.01f) << "the file's coefficient";
        EXPECT_LT(glm::length(after.sh[16 * i + 15]), 0.01f) << "which the file does not have";
    }
}

TEST_F(StartAndSave, ColmapsPointsAreWhereTrainingStartsByItself) {
    const fs::path points = data / "sparse" / "0" / "points3D.bin";
    expectSuccess(splatwright(train("points", {"--init", points})));
    expectSuccess(splatwright(train("sfm", {"--init", "sfm"})));
    const Gaussians found = readSplats(scratch.path() / "points" / "splats.ply"),
                    expected = readSplats(scratch.path() / "sfm" / "splats.ply");
    ASSERT_EQ(found.count(), expected.count());
    for (size_t i = 0; i < found.count(); ++i) {
        ASSERT_LT(glm::distance(found.means[i], expected.means[i]), 0.02f) << i;
        ASSERT_LT(glm::distance(found.logScales[i], expected.logScales[i]), 0.05f) << i;
        ASSERT_NEAR(found.logitOpacities[i], expected.logitOpacities[i], 0.2) << i;
    }
}

TEST_F(StartAndSave, AllCoefficientsOfTheFileShowFromTheFirstStepOn) {
    // With hidden coefficients, the first picture would be that of splats without view-dependent colour.
    const fs::path start = splats(7);
    const auto lossOf = [&](const std::string& out, const std::string& degree) {
        expectSuccess(splatwright(train(out, {"--init", start, "--set", "sh_degree=" + degree, "--set", "log_every=1"})));
        std::istringstream log(readTextFile(scratch.path() / out / "log.jsonl"));
        std::string line;
        std::getline(log, line);
        return json::parse(line)["loss"].get<double>();
    };
    EXPECT_NE(lossOf("flat", "0"), lossOf("whole", "2"));
}

TEST_F(StartAndSave, WhatCannotBeAStartIsRefusedByName) {
    const Outcome word = splatwright(train("a", {"--init", "radom"}));
    EXPECT_EQ(word.code, 2);
    expectParts(word.err, {"init", "'radom'", "sfm, random, or a file of splats"});
    EXPECT_FALSE(fs::exists(scratch.path() / "a"));
    const Outcome many = splatwright(train("b", {"--init", splats(7), "--max-splats", "6"}));
    EXPECT_EQ(many.code, 2);
    expectParts(many.err, {"start.ply", "7 splats", "max_splats, 6"});
    const fs::path text = scratch.write("text.ply", "word");
    EXPECT_EQ(splatwright(train("c", {"--init", text})).code, 2);
}

TEST_F(StartAndSave, TheResultIsSavedInEveryFormatThatIsWritten) {
    size_t saved = 0;
    for (const SplatFormat* format : splatFormats()) {
        if (format->writers.empty() || (format->extension == std::string_view(".html") && pageViewer().empty())) continue;
        SCOPED_TRACE(format->name);
        const fs::path file = scratch.path() / fmt::format("saved{}{}", saved, format->extension);
        const std::string out = fmt::format("run{}", saved++);
        const Outcome run = splatwright(train(out, {"--init", splats(7), "--save", file}));
        expectSuccess(run);
        expectParts(run.out, {"saved", file.string()});
        EXPECT_EQ(readSplats(file).count(), 7u);
        EXPECT_EQ(readSplats(scratch.path() / out / "splats.ply").count(), 7u);
    }
    EXPECT_GE(saved, 3u);
    const Outcome word = splatwright(train("word", {"--save", scratch.path() / "a.txt"}));
    EXPECT_EQ(word.code, 2);
    expectParts(word.err, {"a.txt", "PLY (*.ply)"});
    EXPECT_FALSE(fs::exists(scratch.path() / "word"));
}

}  // namespace
}  // namespace splat
