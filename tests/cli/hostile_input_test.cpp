#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cstring>

#include <splatwright/scene/pictures/blob_file.h>
#include "../scene/encoders.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

/// A tiny dataset, and an alarm for commands that wait for ever.
struct HostileInput : testing::Test {
    HostileInput() { alarm(200); }
    ~HostileInput() override { alarm(0); }

    fs::path out() const { return scratch.path() / "out"; }
    std::vector<std::string> train(const Arguments& more) const {
        Arguments arguments{"train", data, "-o", out(), "--steps", "2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    void expectRefused(const Arguments& arguments, const std::vector<std::string>& parts) const {
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

/// 65,536 x 65,536 pixels are none in 32 bits.
TEST_F(HostileInput, PicturesOfMorePixelsThanKernelsCountAreRefused) {
    Blobs blobs{.width = 40, .height = 30};
    blobs.centres = {{1, 2}};
    blobs.factors = {{3, 0, 3}};
    blobs.colours = {{1, 1, 1}};
    blobs.opacities = {0.5F};
    std::vector<std::byte> bytes = encodeBlobs(blobs, {});
    EXPECT_LE(bytes.size(), 170u);
    const std::array<uint32_t, 2> size{65536, 65536};
    std::memcpy(&bytes[12], size.data(), sizeof size);
    writeFileAtomically(scratch.path() / "a.blobs", bytes);
    expectRefused({"render", scratch.path() / "a.blobs", "-o", out()},
                  {"a.blobs", "width and height are 65536 and 65536", "pixels in all"});

    fs::remove(data / "transforms.json");
    std::string cameras = readTextFile(data / "sparse/0/cameras.bin");
    const std::array<uint64_t, 2> wide{65536, 65536};
    const std::array<double, 4> pinhole{70'000, 70'000, 32'768, 32'768};
    std::memcpy(&cameras[16], wide.data(), sizeof wide);
    std::memcpy(&cameras[32], pinhole.data(), sizeof pinhole);
    writeFileAtomically(data / "sparse/0/cameras.bin", cameras);
    expectRefused(train({}), {"cameras.bin", "width and height are 65536 and 65536", "pixels in all"});
}

/// Progressive, so that libjpeg reads all scans before the first row.
TEST_F(HostileInput, AnInterruptActsWithinAnImage) {
    fs::remove_all(data / "sparse");
    json transforms = json::parse(readTextFile(data / "transforms.json"));
    transforms["frames"].erase(transforms["frames"].begin() + 2, transforms["frames"].end());
    const json camera{{"w", 8192}, {"h", 3000}, {"fl_x", 8192}, {"fl_y", 8192}, {"cx", 4096}, {"cy", 1500}};
    for (json& frame : transforms["frames"]) frame.update(camera);
    writeFileAtomically(data / "transforms.json", transforms.dump());
    for (const char* name : {"images/0000.png", "images/0001.png"}) writeFileAtomically(data / name, scannedJpeg(8192, 3000, 170));
    const auto begin = std::chrono::steady_clock::now();
    const auto later = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(500); };
    std::chrono::steady_clock::time_point sent;
    const auto interrupts = [&] {
        sent = std::chrono::steady_clock::now();
        return later();
    };
    const Outcome outcome = splatwright(train({"--downscale", "8"}), {.interruptWhen = interrupts});
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(1)) << "decoding both takes seconds";
    EXPECT_FALSE(fs::exists(out()));
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
