#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

namespace splat {
namespace {

using namespace test;

/// A tiny dataset, and an alarm for commands that wait for ever.
struct HostileInput : testing::Test {
    HostileInput() { alarm(200); }
    ~HostileInput() override { alarm(0); }

    fs::path out() const { return scratch.path() / "out"; }
    std::vector<std::string> train(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"train", data, "-o", out(), "--steps", "2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    void expectRefused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) const {
        expectFailure(splatwright(arguments), 2, parts);
        EXPECT_FALSE(fs::exists(out())) << arguments.front();
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
};

TEST_F(HostileInput, NothingWaitsForTheWriterOfAFifo) {
    for (const char* name : {"fifo", "fifo.json", "fifo.ply", "fifo.spz", "fifo.splat"})
        ASSERT_EQ(mkfifo((scratch.path() / name).c_str(), 0600), 0);
    const std::string fifo = scratch.path() / "fifo";
    for (const auto& arguments : {train({"--config", fifo}),
                                  train({"--preset", fifo}),
                                  train({"--resume", fifo}),
                                  {"train", fifo + ".json", "-o", out()},
                                  {"eval", fifo + ".ply", data},
                                  {"eval", fifo + ".spz", data},
                                  {"render", fifo + ".splat", "--orbit", "2", "-o", out()},
                                  {"view", "--headless", "--script", fifo}}) {
        expectRefused(arguments, {fifo, "is a FIFO, expected a regular file"});
    }
}

TEST_F(HostileInput, FilesOfADatasetAreOpenedByTheirTypeToo) {
    for (const char* name : {"images/0003.png", "sparse/0/points3D.bin", "sparse/0/images.bin", "sparse/0/cameras.bin"}) {
        fs::remove(data / name);
        ASSERT_EQ(mkfifo((data / name).c_str(), 0600), 0);
        expectRefused(train({}), {(data / name).string(), "is a FIFO, expected a regular file"});
    }
    fs::remove_all(data / "sparse");
    fs::remove(data / "transforms.json");
    fs::create_symlink("transforms.json", data / "transforms.json");
    expectRefused(train({}), {(data / "transforms.json").string(), "Too many levels of symbolic links"});
}

TEST_F(HostileInput, DevicesAndFoldersAreRefused) {
    expectRefused(train({"--config", "/dev/zero"}), {"/dev/zero", "is a device"});
    expectRefused(train({"--resume", data}), {data.string(), "is a directory"});
    expectRefused({"eval", "/dev/zero", data}, {"/dev/zero", "is a device"});
    expectRefused({"train", "/dev/zero", "-o", out()}, {"/dev/zero"});
}

std::string deep(const std::string& open, const std::string& close) {
    std::string text, end;
    for (int i = 0; i < 100'000; ++i) text += open, end += close;
    return text + "1" + end;
}

TEST_F(HostileInput, DeeplyNestedJsonIsRefusedWithItsPlace) {
    fs::remove_all(data / "sparse");
    const fs::path splats = scratch.write("splats.ply", "ply\n");
    for (const std::string& text : {deep("[", "]"), deep("{\"a\":", "}")}) {
        const std::string file = scratch.write("deep.json", text);
        const std::vector<std::string> parts{"nested", "line 1, column", "at most 64"};
        expectRefused(train({"--config", file}), parts);
        expectRefused(train({"--preset", file}), parts);
        expectRefused({"train", file, "-o", out()}, parts);
    }
}

TEST_F(HostileInput, AbsurdNumbersInAConfigAreOutOfRange) {
    for (const char* text : {R"({"seed": -1})", R"({"steps": 1099511627776})", R"({"lr_means": 1e300})", R"({"noise_lr": 1e10})",
                             R"({"background": [1e300, 0, 0]})", R"({"densify_from": 1e300})"}) {
        const std::string file = scratch.write("config.json", text);
        const std::string key = json::parse(text).begin().key();
        expectRefused(train({"--config", file}), {file, key, "expected"});
    }
}

}  // namespace
}  // namespace splat
