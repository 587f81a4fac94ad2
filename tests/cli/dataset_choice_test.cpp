#include "run.h"

namespace splat {
namespace {

using namespace test;

/// A tiny dataset that has both descriptions; transforms.json lists its own split.
struct DatasetChoice : testing::Test {
    DatasetChoice() {
        json transforms = json::parse(readTextFile(data / "transforms.json"));
        transforms["train_filenames"] = {"images/0001.png", "images/0002.png", "images/0003.png"};
        transforms["test_filenames"] = {"images/0000.png", "images/0004.png"};
        writeFileAtomically(data / "transforms.json", transforms.dump());
    }
    Outcome train(const char* folder, Arguments more = {}) const {
        Arguments arguments{"train", data, "-o", scratch.path() / folder, "--config", config};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments);
    }
    static std::vector<std::string> namesOf(const json& evaluation) {
        std::vector<std::string> found;
        for (const json& view : evaluation.at("views")) found.push_back(view.at("name"));
        return found;
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
    fs::path config = scratch.write("config.json", R"({"steps": 2, "init": "random", "init_count": 100, "strategy": "fixed"})");
    const std::vector<std::string> every8th{"0000.png"}, listed{"0000.png", "0004.png"};
};

TEST_F(DatasetChoice, IsSaidMadeAndKeptByResume) {
    const Outcome first = train("colmap");
    expectSuccess(first);
    expectParts(first.err, {data.string(), "a colmap dataset and a transforms dataset", "the first is used", "--dataset"});
    EXPECT_EQ(first.err.find("its own split"), std::string::npos) << first.err;
    EXPECT_EQ(namesOf(metricsOf(scratch.path() / "colmap")), every8th);

    const Outcome second = train("transforms", {"--dataset", "transforms"});
    expectSuccess(second);
    expectParts(second.err, {"a transforms dataset and a colmap dataset", "its own split: 3 views for training, 2 for testing, 1 unused",
                             "--test-every does not apply"});
    EXPECT_EQ(namesOf(metricsOf(scratch.path() / "transforms")), listed);

    const std::string checkpoint = (scratch.path() / "transforms/checkpoint.splat-ckpt").string();
    const auto resume = [&](Arguments more) {
        more.insert(more.end(), {"--resume", checkpoint, "--steps", "3"});
        return train("transforms", more);
    };
    expectFailure(resume({"--dataset", "colmap"}), 2, {"--dataset: found colmap, expected transforms", checkpoint});
    expectSuccess(resume({}));
    EXPECT_EQ(namesOf(metricsOf(scratch.path() / "transforms")), listed);
    EXPECT_EQ(metricsOf(scratch.path() / "transforms")["steps"], 3);
}

TEST_F(DatasetChoice, IsTheSameInEveryCommand) {
    expectSuccess(train("run"));
    const fs::path splats = scratch.path() / "run/splats.ply";
    const auto evaluated = [&](Arguments more) {
        more.insert(more.begin(), {"eval", splats, data, "--json"});
        const Outcome outcome = splatwright(more);
        expectSuccess(outcome);
        return namesOf(json::parse(outcome.out));
    };
    EXPECT_EQ(evaluated({}), every8th);
    EXPECT_EQ(evaluated({"--dataset", "transforms"}), listed);
    const auto rendered = [&](const char* folder, Arguments more) {
        more.insert(more.begin(), {"render", splats, "--data", data, "-o", scratch.path() / folder});
        expectSuccess(splatwright(more));
        return std::distance(fs::directory_iterator(scratch.path() / folder), fs::directory_iterator());
    };
    EXPECT_EQ(rendered("a", {}), 1);
    EXPECT_EQ(rendered("b", {"--dataset", "transforms"}), 2);
    for (const char* command : {"train", "eval", "render", "view"})
        expectFailure(splatwright({command, data, "--dataset", "blender"}), 2, {"--dataset", "'blender'", "colmap or transforms"});
}

TEST_F(DatasetChoice, NamesThatLeadOutAreReadOnlyIfAllowed) {
    json transforms = json::parse(readTextFile(data / "transforms.json"));
    fs::rename(data / "images/0005.png", scratch.path() / "moved.png");
    transforms["frames"][5]["file_path"] = "../moved.png";
    writeFileAtomically(data / "transforms.json", transforms.dump());
    expectFailure(train("a", {"--dataset", "transforms"}), 2, {"frame 5", "'../moved.png'", "is outside", "--allow-outside"});
    EXPECT_FALSE(fs::exists(scratch.path() / "a"));
    expectSuccess(train("a", {"--dataset", "transforms", "--allow-outside"}));
}

}  // namespace
}  // namespace splat
