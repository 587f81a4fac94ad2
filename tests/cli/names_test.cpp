#include <algorithm>

#include <splatwright/core/names.h>
#include "run.h"

namespace splat {
namespace {

using namespace test;

/// Whether a terminal or a log would take any of it for more than text on lines of ours.
void expectHarmless(const std::string& text) {
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        EXPECT_EQ(printable(text.substr(begin, end - begin)), text.substr(begin, end - begin)) << text;
        begin = end + 1;
    }
}

std::string hostileName() { return "evil\xff\x1b]0;title\x07\nerror: forged\xe2\x80\xae"; }

/// A tiny COLMAP dataset whose images have hostile names.
struct HostileNames : testing::Test {
    HostileNames() {
        fs::remove(data / "transforms.json");
        std::string images = readTextFile(data / "sparse/0/images.bin");
        for (int i = 0; i < 6; ++i) {
            const std::string before = fmt::format("{:04}.png", i);
            names.push_back(fmt::format("{}{}{}.png", hostileName(), i, i == 4 ? std::string(180, 'x') : ""));
            fs::rename(data / "images" / before, data / "images" / names.back());
            images.replace(images.find(before), before.size(), names.back());
        }
        writeFileAtomically(data / "sparse/0/images.bin", images);
    }
    Outcome train(Arguments more = {}) const {
        Arguments arguments{"train", data, "-o", out, "--config", config, "--test-every", "2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments);
    }
    std::vector<std::string> testNames() const { return {escapedName(names[0]), escapedName(names[2]), escapedName(names[4])}; }
    static std::vector<std::string> namesOf(const json& evaluation) {
        std::vector<std::string> found;
        for (const json& view : evaluation.at("views")) found.push_back(view.at("name"));
        return found;
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch), out = scratch.path() / "out";
    fs::path config = scratch.write("config.json", R"({"steps": 4, "init": "random", "init_count": 100, "strategy": "fixed"})");
    std::vector<std::string> names;
};

TEST_F(HostileNames, AreTrainedEvaluatedResumedAndRendered) {
    const Outcome trained = train();
    expectSuccess(trained);
    expectHarmless(trained.out + trained.err);
    EXPECT_EQ(namesOf(metricsOf(out)), testNames());

    const Outcome resumed = splatwright({"train", data, "-o", out, "--resume", out / "checkpoint.splat-ckpt", "--steps", "6"});
    expectSuccess(resumed);
    EXPECT_EQ(metricsOf(out)["steps"], 6);
    EXPECT_EQ(namesOf(metricsOf(out)), testNames());

    const std::string splats = out / "splats.ply";
    const Outcome asJson = splatwright({"eval", splats, data, "--test-every", "2", "--json"});
    expectSuccess(asJson);
    EXPECT_EQ(namesOf(json::parse(asJson.out)), testNames());
    const Outcome table = splatwright({"eval", splats, data, "--test-every", "2"});
    expectSuccess(table);
    expectHarmless(table.out);
    std::istringstream lines(table.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u);

    const fs::path pictures = scratch.path() / "pictures";
    expectSuccess(splatwright({"render", splats, "--data", data, "--split", "all", "-o", pictures}));
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(pictures)) files.push_back(entry.path().filename());
    EXPECT_EQ(files.size(), names.size());
    for (const std::string& file : files) {
        EXPECT_EQ(escapedName(file), file);
        EXPECT_LE(file.size(), 124u);
        EXPECT_TRUE(file.ends_with(".png")) << file;
    }
}

TEST_F(HostileNames, AreEscapedInTheViewersReport) {
    const fs::path report = scratch.path() / "report.json";
    const auto play = [&](const fs::path& opened, const std::string& script) {
        const fs::path file = scratch.write("script.txt", script + "report " + report.string() + "\n");
        const Outcome outcome = splatwright({"view", opened, "--headless", "--size", "64x48", "--script", file});
        expectSuccess(outcome);
        expectHarmless(outcome.out + outcome.err);
        return json::parse(readTextFile(report));
    };
    EXPECT_EQ(play(data, "next_view\n").at("camera").at("view"), escapedName(names[1]));  // training views come first

    expectSuccess(train());
    const fs::path splats = scratch.path() / (hostileName() + ".ply");
    fs::copy(out / "splats.ply", splats);
    const json opened = play(splats, "");
    EXPECT_EQ(opened.at("models").at(0).at("name"), escapedName(hostileName()));
    EXPECT_NE(opened.at("notice").get<std::string>().find(printable(hostileName())), std::string::npos) << opened.at("notice");
}

TEST_F(HostileNames, AreEscapedInErrors) {
    fs::remove(data / "images" / names[3]);
    const Outcome missing = train();
    expectFailure(missing, 2, {"missing", "evil\\xff\\x1b]0;title\\x07\\nerror: forged"});
    expectHarmless(missing.err);
    writeFileAtomically(data / "images" / names[3], "no image");
    const Outcome damaged = train();
    expectFailure(damaged, 2, {"evil\\xff"});
    expectHarmless(damaged.err);
}

TEST_F(HostileNames, OfFoldersAndOptionsAreEscapedToo) {
    const fs::path folder = scratch.path() / hostileName();
    fs::rename(data, folder);
    const Outcome trained = splatwright({"train", folder, "-o", scratch.path() / (hostileName() + "out"), "--config", config});
    expectSuccess(trained);
    expectHarmless(trained.out + trained.err);
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{hostileName()},
                                                                                       {"train", folder, "--" + hostileName()},
                                                                                       {"train", folder, "-o", "x", "--set", hostileName()},
                                                                                       {"eval", hostileName(), folder},
                                                                                       {"train", hostileName(), "-o", "x"}}) {
        const Outcome outcome = splatwright(wrong);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        expectHarmless(outcome.err);
        EXPECT_FALSE(outcome.err.empty());
    }
}

TEST(CameraNames, OfPicturesNeverLeaveTheFolderNorMeet) {
    const Scratch scratch;
    const fs::path data = tinyDataset(scratch), out = scratch.path() / "out";
    expectSuccess(splatwright({"train", data, "-o", out, "--steps", "1", "--set", "init=random", "--set", "init_count=50"}));
    json cameras = json::array();
    for (const char* name : {"../../escaped", "/tmp/escaped", "..", "a/b", "a_b", "a\n", "a\t", ""}) {
        cameras.push_back({{"name", name}, {"width", 8}, {"height", 6}, {"fl_x", 8}, {"fl_y", 8}, {"cx", 4}, {"cy", 3}});
        cameras.back()["world_to_camera"] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 4}, {0, 0, 0, 1}};
    }
    const fs::path file = scratch.write("cameras.json", cameras.dump()), pictures = scratch.path() / "deep" / "pictures";
    expectSuccess(splatwright({"render", out / "splats.ply", "--camera", file, "-o", pictures}));
    const auto entries = std::distance(fs::directory_iterator(pictures), fs::directory_iterator());
    EXPECT_EQ(static_cast<size_t>(entries), cameras.size());
    EXPECT_FALSE(fs::exists(scratch.path() / "escaped.png"));
}

}  // namespace
}  // namespace splat
