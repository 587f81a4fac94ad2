// What COLMAP is asked for, and when it is asked again.
#include <splatwright/prepare/from_dataset.h>
#include <splatwright/scene/datasets/dataset.h>
#include "fake_colmap.h"

namespace splat::prepare {
namespace {

namespace fs = std::filesystem;
using namespace test;

std::vector<std::string> numbered(size_t count, const std::string& format) {
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i) names.push_back(fmt::format(fmt::runtime(format), i));
    return names;
}

struct ColmapStages : Preparing {
    const std::vector<std::string> names = numbered(5, "{}.png");
    fs::path input() const { return photographs("in", names, 10); }
    bool hasCall(const std::string& part) const { return colmap.calls().find(part) != std::string::npos; }
};

TEST_F(ColmapStages, FewPhotographsMayBeASmallModel) {
    colmap.finds(names);
    prepare(input());
    EXPECT_TRUE(hasCall("--Mapper.min_model_size 3")) << colmap.calls();
}

TEST_F(ColmapStages, ASecondAttemptIsAnnouncedWithItsReason) {
    colmap.finds({names[0], names[1], names[2]});
    prepare(input());
    expectParts(watched.notes, {"3 of 5 photographs registered, fewer than four in five: another attempt, with weaker features"});
    EXPECT_EQ(colmap.countOf("mapper"), 2u);
}

TEST_F(ColmapStages, EachBeginsBeforeItsProgramSaysAnything) {
    colmap.finds(names);
    colmap.before("exhaustive_matcher", "exit 0");
    prepare(input());
    EXPECT_EQ(watched.stages, (std::vector<std::string>{"photographs", "features usual", "matches usual", "mapping usual", "dataset"}));
    EXPECT_EQ(watched.totals, (std::vector<uint64_t>{5, 5, 10, 5, 1}));
}

TEST_F(ColmapStages, MatchingShowsItsProgressInPairs) {
    colmap.finds(names);
    colmap.before("exhaustive_matcher",
                  "for at in '1/2, 1/2' '1/2, 2/2' '2/2, 1/2' '2/2, 2/2'; do echo \"Matching block [$at] in 0.1s\"; done");
    prepare(input());
    std::vector<uint64_t> pairs;
    for (const auto& [stage, done] : watched.progress) {
        if (stage == "matches usual") pairs.push_back(done);
    }
    EXPECT_EQ(pairs, (std::vector<uint64_t>{2, 5, 7, 10}));
}

TEST_F(ColmapStages, ADamagedRecordOfStagesIsDoneAgain) {
    colmap.finds(names);
    prepare(input());
    nlohmann::json record = nlohmann::json::parse(readTextFile(out / ".prepare/stages.json"));
    record["features usual"]["result"] = {{1, 2}, "x"};
    record["mapping usual"]["result"] = {"x", -1};
    scratch.write("ds/.prepare/stages.json", record.dump());
    prepare(input());
    EXPECT_EQ(colmap.countOf("feature_extractor"), 2u);
    EXPECT_EQ(colmap.countOf("mapper"), 2u);
}

TEST_F(ColmapStages, AreDoneAgainForOtherContentsOnly) {
    colmap.finds(names);
    prepare(input());
    const auto mappedAgain = [&] {
        const size_t before = colmap.countOf("mapper");
        prepare(scratch.path() / "in");
        return colmap.countOf("mapper") > before;
    };
    EXPECT_FALSE(mappedAgain());
    const fs::path file = scratch.path() / "in/1.png";
    const auto time = fs::last_write_time(file);
    fs::last_write_time(file, time - std::chrono::hours(1));
    EXPECT_FALSE(mappedAgain()) << "the same at another time";
    out = scratch.path() / "in/../ds";
    EXPECT_FALSE(mappedAgain()) << "the same folder under another name";
    const auto size = fs::file_size(file);
    write(file, 99);
    ASSERT_EQ(fs::file_size(file), size) << "another content of the same size";
    fs::last_write_time(file, time);
    EXPECT_TRUE(mappedAgain());
    write(scratch.path() / "in/masks/1.png", 1);
    EXPECT_TRUE(mappedAgain());
    EXPECT_TRUE(hasCall("--ImageReader.mask_path " + (scratch.path() / "in/../ds/masks").string()));
    write(scratch.path() / "in/masks/1.png", 2);
    EXPECT_TRUE(mappedAgain());
}

TEST_F(ColmapStages, MasksOfPhotographsInPlaceAreGivenTheNamesThatColmapWants) {
    photographs("ds/images", names, 10);
    write(out / "masks/1.png", 1);
    colmap.finds(names);
    prepare(out);
    EXPECT_TRUE(hasCall("--ImageReader.mask_path " + (out / ".prepare/masks").string()));
    EXPECT_TRUE(fs::is_regular_file(out / ".prepare/masks/1.png.png"));
    EXPECT_FALSE(fs::exists(out / "masks/1.png.png")) << "the user's folder";
}

TEST_F(ColmapStages, TheMapperAndADistanceAreCheckedBeforeTheFirst) {
    colmap.finds(names);
    change = [](Settings& settings) { settings.mapper = Mapper::global; };
    try {
        prepare(input());
        ADD_FAILURE() << "there is no glomap";
    } catch (const Error& problem) {
        expectParts(problem.what(), {"glomap: not found on the PATH"});
    }
    EXPECT_FALSE(fs::exists(out));
    change = [](Settings& settings) { settings.distance = {"0.png", "O.png", 1}; };
    expectInputError([&] { prepare(input()); }, {"'O.png': is not among the 5 photographs", "such as '0.png'"});
    change = [](Settings& settings) { settings.distance = {"0.png", "0.png", 1}; };
    expectInputError([&] { prepare(input()); }, {"'0.png': has no distance to itself"});
    change = [](Settings& settings) { settings.distance = {"frame_00001.jpg", "frame_00151.jpg", 1}; };
    expectInputError([&] { prepare(scratch.write("a.mp4", "x")); }, {"'frame_00151.jpg': is not among the 150"});
    EXPECT_TRUE(watched.stages.empty());
    EXPECT_EQ(colmap.calls(), "");
}

/// COLMAP divides lines of pairs at blanks.
TEST_F(ColmapStages, LoopsAreClosedWithBlanksInNames) {
    const std::vector<std::string> many = numbered(251, "a folder/img {:03}.png");
    photographs("in", many, 0);
    write(scratch.path() / "in/masks/a folder/img 007.png", 1);
    std::vector<std::string> plain;
    for (size_t i = 0; i < many.size(); ++i) plain.push_back(fmt::format("000/{:06}.png", i));
    colmap.finds(plain);
    prepare(scratch.path() / "in");
    std::istringstream pairs(readTextFile(colmap.folder / "pairs"));
    size_t lines = 0;
    for (std::string line; std::getline(pairs, line); ++lines) ASSERT_EQ(std::ranges::count(line, ' '), 1) << line;
    EXPECT_GT(lines, 1000u);
    EXPECT_TRUE(fs::is_regular_file(out / ".prepare/plain-masks/000/000007.png.png"));
    const Dataset dataset = loadDataset(out);
    ASSERT_EQ(dataset.views.size(), many.size());
    EXPECT_EQ(dataset.views[7].file, many[7]);
    EXPECT_TRUE(fs::is_regular_file(dataset.views[7].image));
}

TEST_F(ColmapStages, UnreadablePhotographsAreNamedAtOnce) {
    scratch.write("in/broken.jpg", "\xff\xd8\xff");
    scratch.write("in/later.heic", "x");
    scratch.write("in/1.DNG", "x");
    colmap.finds(names);
    colmap.before("feature_extractor", "exit 1");
    EXPECT_THROW(prepare(input()), Error);
    expectParts(watched.notes, {"left out broken.jpg: ", "left out later.heic: ", "unknown picture format, expected JPEG, PNG, WebP, HEIC",
                                "2 files are left out"});
    EXPECT_EQ(watched.notes.find("1.DNG"), std::string::npos) << "the camera stored 1.png as well";
}

TEST_F(ColmapStages, PicturesOfEarlierResultsAreNoPhotographs) {
    colmap.finds(names);
    write(input() / "run/strip.png", 1);
    write(scratch.path() / "in/strip.png", 1);
    change = [](Settings& settings) {
        settings.isResult = [](const fs::path& path) { return path.filename() == "run" || path.filename() == "strip.png"; };
    };
    out = scratch.path() / "in/run/dataset";
    EXPECT_EQ(prepare(scratch.path() / "in").photographs, 5u);
    expectParts(watched.notes, {"in/run: is a result of earlier work", "in/strip.png: is a result"});
}

/// A dataset of transforms.json without points.
struct KnownCameras : ColmapStages {
    void SetUp() override {
        colmap.finds(names);
        prepare(input());
        fs::remove_all(out / "sparse");
        fs::create_directories(colmap.folder / "triangulated");
    }
    Report copy(const std::string& to) {
        return copyDataset({.input = out, .out = scratch.path() / to, .colmap = colmap.program()}, "transforms", watched);
    }
};

TEST_F(KnownCameras, GetPointsByTriangulation) {
    Model found = readModel(colmap.folder / "model");
    for (size_t i = 0; i < 100; ++i) found.points.push_back(found.points[0]);
    writeModel(colmap.folder / "triangulated", found);
    const Report report = copy("to");
    EXPECT_EQ(report.points, 120u);
    EXPECT_TRUE(hasCall("--ImageReader.camera_model OPENCV --ImageReader.camera_params 60.4")) << colmap.calls();
    EXPECT_TRUE(hasCall("--clear_points 1"));
    EXPECT_EQ(readModel(scratch.path() / "to/.prepare/usual/known").images.size(), 5u);
    EXPECT_EQ(loadDataset(scratch.path() / "to", {.format = "colmap"}).points.size(), 120u);
    EXPECT_EQ(colmap.countOf("point_triangulator"), 1u);
}

TEST_F(KnownCameras, AreCopiedWithoutPointsWhereColmapFailsWhichIsSaid) {
    colmap.before("point_triangulator", "exit 9");
    EXPECT_EQ(copy("to").points, 0u);
    expectParts(watched.notes, {"has no points, and none are triangulated", "point_triangulator failed: exit code 9", "random positions"});
    EXPECT_EQ(loadDataset(scratch.path() / "to").views.size(), 5u);
}

}  // namespace
}  // namespace splat::prepare
