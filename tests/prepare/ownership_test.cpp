// What a preparation may touch: nothing but what it made itself.
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <splatwright/core/child_process.h>
#include <splatwright/prepare/from_dataset.h>
#include <splatwright/prepare/own_files.h>
#include <splatwright/scene/datasets/dataset.h>
#include "fake_colmap.h"

namespace splat::prepare {
namespace {

namespace fs = std::filesystem;
using namespace test;

const std::vector<std::string> kNames{"1.png", "2.png", "3.png"};

struct Ownership : Preparing {
    Ownership() { colmap.finds(kNames); }
    void expectRefusal(const fs::path& input, bool force, const std::vector<std::string>& parts) {
        const auto before = contentsOf(out);
        expectInputError([&] { prepare(input, force); }, parts);
        const auto after = contentsOf(out);
        EXPECT_EQ(before, after);
    }
    fs::path a() const { return photographs("a", kNames, 10); }
    fs::path b() const { return photographs("b", kNames, 20); }
};

TEST_F(Ownership, AnotherInputIsRefusedAndReplacesOnlyOnRequest) {
    prepare(a());
    write(out / "my own.png", 99);
    expectRefusal(b(), false, {"ds: was made of the photographs of", "/a, found the photographs of", "/b", "another folder", "`force`"});
    EXPECT_EQ(greyOf(out / "images/1.png"), 10);
    prepare(b(), true);
    EXPECT_EQ(greyOf(out / "images/1.png"), 20);
    EXPECT_EQ(greyOf(out / "my own.png"), 99);
    expectRefusal(a(), false, {"was made of the photographs of", "/b"});
    EXPECT_EQ(greyOf(scratch.path() / "a/1.png"), 10);
}

TEST_F(Ownership, PhotographsThatAreTheirOwnDatasetStay) {
    photographs("ds/images", kNames, 10);
    prepare(out);
    EXPECT_TRUE(isDataset(out));
    prepare(out / "images");  // the same
    expectRefusal(b(), false, {"was made of the photographs of", "/ds, found"});
    expectRefusal(b(), true, {"images/", "was not made here", "another folder"});
    fs::remove(out / "transforms.json");
    prepare(out);
    for (size_t i = 0; i < kNames.size(); ++i) EXPECT_EQ(greyOf(out / "images" / kNames[i]), 10 + static_cast<int>(i));
}

TEST_F(Ownership, PhotographsBesideWhatIsMadeOfThemStay) {
    photographs("ds", kNames, 10);
    write(out / "masks/1.png", 7);
    prepare(out);
    EXPECT_EQ(greyOf(out / "images/2.png"), 11);
    prepare(out);  // the links in images/ are not the input
    EXPECT_EQ(colmap.countOf("mapper"), 1u);
    prepare(b(), true);
    EXPECT_EQ(greyOf(out / "images/2.png"), 21);
    for (size_t i = 0; i < kNames.size(); ++i) EXPECT_EQ(greyOf(out / kNames[i]), 10 + static_cast<int>(i));
    EXPECT_EQ(greyOf(out / "masks/1.png"), 7);
}

TEST_F(Ownership, TheDatasetsOwnImagesCanBecomeTheInput) {
    prepare(a());
    fs::remove_all(scratch.path() / "a");
    expectRefusal(out, false, {"was made of the photographs of", "/a"});
    prepare(out, true);
    EXPECT_EQ(greyOf(out / "images/1.png"), 10);
    expectRefusal(b(), true, {"images/", "was not made here"});
    expectRefusal(photographs("c", {"7.png", "8.png", "9.png"}, 30), true, {"images/", "mixed with other files"});
}

/// ffmpeg would write through the links of an interrupted call: the stage of images was not finished, so that they stayed.
TEST_F(Ownership, AVideosFramesAreNotWrittenThroughLinks) {
    if (findProgram("ffmpeg").empty()) GTEST_SKIP() << "ffmpeg is not installed";
    const std::vector<std::string> names{"frame_00001.jpg", "frame_00002.jpg", "frame_00003.jpg"};
    const fs::path from = photographs("a", names, 10), video = scratch.path() / "v.mkv";
    const auto before = contentsOf(from);
    colmap.finds(names);
    colmap.before("feature_extractor", "exit 1");
    EXPECT_THROW(prepare(from), Error);
    fs::remove(out / ".prepare/stages.json");
    ASSERT_TRUE(runChild({.arguments = {"ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=3", "-frames:v", "3", "-c:v",
                                        "ffv1", video},
                          .log = {}})
                    .succeeded());
    colmap.before("feature_extractor", "");
    change = [](Settings& settings) { settings.frames = 3; };
    prepare(video, true);
    const auto after = contentsOf(from);
    EXPECT_EQ(before, after);
    EXPECT_EQ(fs::hard_link_count(out / "images/frame_00001.jpg"), 1u);
    EXPECT_NE(hashOf(readTextFile(out / "images/frame_00001.jpg")), before.begin()->second);
}

TEST_F(Ownership, AnInterruptedPlacingLeavesNothingThatTheNextCallWouldKeep) {
    photographs("a", {"4.png"}, 30);
    watched.stops = [this] { return fs::exists(out / ".prepare/new/images/2.png"); };
    EXPECT_THROW(prepare(a()), Watched::Stop);
    EXPECT_FALSE(fs::exists(out / "images"));
    watched.stops = nullptr;
    prepare(b());  // nothing was made of a yet
    EXPECT_EQ(std::distance(fs::directory_iterator(out / "images"), {}), 3);
    EXPECT_EQ(greyOf(scratch.path() / "a/1.png"), 10);
}

TEST_F(Ownership, AFailedCallLeavesNoDatasetWithAnOlderModel) {
    prepare(a());
    ASSERT_TRUE(isDataset(out));
    // Before images change, all stays.
    expectRefusal(photographs("few", {"1.png"}, 50), true, {"found 1 usable"});
    EXPECT_TRUE(isDataset(out));
    colmap.findsNothing();
    EXPECT_THROW(prepare(b(), true), Error);
    EXPECT_EQ(greyOf(out / "images/1.png"), 20);
    EXPECT_FALSE(isDataset(out));
    for (const char* file : {"sparse", "transforms.json", "transform.json"}) EXPECT_FALSE(fs::exists(out / file)) << file;
}

TEST_F(Ownership, ChangedPhotographsInPlaceRemoveTheOlderModelToo) {
    photographs("ds/images", kNames, 10);
    prepare(out);
    write(out / "images/1.png", 77);
    colmap.findsNothing();
    EXPECT_THROW(prepare(out), Error);
    EXPECT_FALSE(isDataset(out));
    EXPECT_EQ(greyOf(out / "images/1.png"), 77);
}

TEST_F(Ownership, WhatTheUserChangedIsNotReplaced) {
    prepare(a());
    std::ofstream(out / "transforms.json", std::ios::app) << "\n";
    expectRefusal(a(), false, {"transforms.json: was not made here, or changed since"});
    expectRefusal(b(), true, {"transforms.json: was not made here, or changed since"});  // its poses would stay beside other images
}

TEST_F(Ownership, WhatTheUserChangedIsNotRemoved) {
    write(scratch.path() / "a/masks/1.png", 5);
    prepare(a());
    const fs::path mask = out / "masks/1.png.png";
    fs::remove(mask);  // it was a link
    write(mask, 6);
    fs::remove_all(scratch.path() / "a/masks");
    prepare(a());
    EXPECT_EQ(greyOf(mask), 6);
}

TEST_F(Ownership, NothingIsWrittenThroughLinksToElsewhere) {
    prepare(a());
    const fs::path text = scratch.write("mine.json", "mine"), elsewhere = photographs("elsewhere", kNames, 40);
    fs::remove(out / "transforms.json");
    fs::create_symlink(text, out / "transforms.json");
    expectRefusal(a(), false, {"transforms.json"});
    EXPECT_EQ(readTextFile(text), "mine");
    fs::remove(out / "transforms.json");
    fs::remove_all(out / "images");
    fs::create_directory_symlink(elsewhere, out / "images");
    expectRefusal(b(), true, {"images", "is no folder of the dataset's own"});
    EXPECT_EQ(greyOf(elsewhere / "1.png"), 40);
    fs::remove(out / "images");
    fs::remove(out / "prepare.log");
    fs::create_symlink(text, out / "prepare.log");
    expectRefusal(a(), false, {"prepare.log"});
}

TEST_F(Ownership, AFolderWithoutARecordIsNotTouched) {
    prepare(a());
    fs::remove(out / ".prepare/made.json");  // as earlier versions left it
    for (const bool force : {false, true}) expectRefusal(a(), force, {"holds a dataset already", "without a record"});
    fs::remove_all(out / "sparse");
    fs::remove(out / "transforms.json");
    for (const bool force : {false, true}) expectRefusal(a(), force, {"is not empty"});
    scratch.write("ds/.prepare/made.json", "{}");
    expectRefusal(a(), true, {"made.json", "is no record"});
}

TEST_F(Ownership, TheOutputMayBeBelowTheInputAndTheInputReadOnly) {
    const fs::path input = a();
    for (const std::string& name : kNames) fs::permissions(input / name, fs::perms::owner_read);
    for (const char* below : {"run/dataset", "images"}) {
        out = input / below;
        const size_t before = colmap.countOf("mapper");
        for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(prepare(input).photographs, 3u) << below;
        EXPECT_EQ(colmap.countOf("mapper"), before + 1) << below;
    }
}

TEST_F(Ownership, LinksInTheInputAreFollowedAndKept) {
    const fs::path real = a(), input = scratch.path() / "links";
    fs::create_directories(input / "left");
    fs::create_symlink(real / "1.png", input / "1.png");
    fs::create_symlink("../../a/2.png", input / "left/2.png");
    fs::create_symlink(real / "3.png", input / "3.png");
    fs::create_symlink("nowhere", input / "4.png");
    colmap.finds({"1.png", "3.png", "left/2.png"});
    const Report report = prepare(input);
    EXPECT_EQ(report.photographs, 3u);
    ASSERT_EQ(report.leftOut.size(), 1u);
    EXPECT_EQ(report.leftOut[0].name, "4.png");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(out / "images/left/2.png")));
    colmap.finds(kNames);
    prepare(b(), true);
    EXPECT_FALSE(fs::exists(out / "images/left"));
    EXPECT_EQ(greyOf(real / "2.png"), 11);
    EXPECT_TRUE(fs::is_symlink(input / "1.png"));
}

/// A call that ends between two files leaves old and new ones, and the record of both.
TEST_F(Ownership, APlacingThatWasCutOffGoesOn) {
    using nlohmann::json;
    const fs::path record = out / ".prepare/made.json";
    prepare(a());
    json both = json::parse(readTextFile(record));
    prepare(b(), true);
    json after = json::parse(readTextFile(record));
    for (auto& [name, stamps] : after["files"].items()) stamps.push_back(both["files"][name][0]);
    scratch.write("ds/.prepare/made.json", after.dump());
    fs::remove(out / "images/1.png");
    fs::create_hard_link(scratch.path() / "a/1.png", out / "images/1.png");
    fs::remove(out / "images/3.png");
    prepare(b());
    for (size_t i = 0; i < kNames.size(); ++i) EXPECT_EQ(greyOf(out / "images" / kNames[i]), 20 + static_cast<int>(i));
    EXPECT_EQ(json::parse(readTextFile(record))["files"]["images/1.png"].size(), 1u);
}

/// Copies, of which the record has the times only. Killed when the record is written, and when the first file has gone.
TEST_F(Ownership, APlacingThatWasKilledGoesOn) {
    constexpr int kFiles = 800;
    constexpr std::array<std::string_view, 1> kImages{"images"};
    const auto stage = [&](const OwnFiles& own, const std::string& content) {
        const fs::path staged = own.stage();
        for (int i = 0; i < kFiles; ++i) scratch.write(fmt::format("ds/.prepare/new/images/{}", i), content);
        return staged;
    };
    for (const char* changing : {".prepare/made.json", "images"}) {
        OwnFiles own(out);
        stage(own, "older");
        own.place(originOf("photographs", "a"), kImages);
        stage(own, "newer");
        const auto before = fs::last_write_time(out / changing);
        const pid_t child = fork();
        if (child == 0) {
            OwnFiles(out).place(originOf("photographs", "b"), kImages);
            _exit(0);
        }
        std::error_code gone;
        while (fs::last_write_time(out / changing, gone) == before) {
        }
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        OwnFiles after(out);
        EXPECT_EQ(after.origin(), originOf("photographs", "b"));
        stage(after, "newer");
        after.place(originOf("photographs", "b"), kImages);
        EXPECT_EQ(std::distance(fs::directory_iterator(out / "images"), {}), kFiles);
        EXPECT_EQ(readTextFile(out / "images/799"), "newer");
    }
}

TEST_F(Ownership, ACopyOfADatasetIsRepeatedOverItselfOnly) {
    prepare(a());
    const fs::path copy = scratch.path() / "copy";
    const auto copyFrom = [&](const fs::path& from, bool force = false) {
        return copyDataset({.input = from, .out = copy, .force = force}, "colmap", watched);
    };
    watched.stops = [&] { return fs::exists(copy / ".prepare/new/images/2.png"); };
    EXPECT_THROW(copyFrom(out), Watched::Stop);
    EXPECT_FALSE(isDataset(copy));
    watched.stops = nullptr;
    for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(copyFrom(out).registered, 3u);
    out = scratch.path() / "other";
    prepare(b());
    expectInputError([&] { copyFrom(out); }, {"copy: was made of the dataset", "/ds, found the dataset", "/other"});
    EXPECT_EQ(greyOf(copy / "images/1.png"), 10);
    copyFrom(out, true);
    EXPECT_EQ(greyOf(copy / "images/1.png"), 20);
}

}  // namespace
}  // namespace splat::prepare
