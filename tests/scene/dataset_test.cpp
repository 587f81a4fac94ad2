#include <splatwright/scene/datasets/dataset.h>

#include "encoders.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

Dataset datasetOf(size_t count) {
    Dataset dataset;
    dataset.views.resize(count);
    return dataset;
}

TEST(Split, EveryNthViewIsATestViewStartingWithTheFirst) {
    const Dataset dataset = datasetOf(7);
    EXPECT_EQ(viewsOfSplit(dataset, Split::test, 3), (std::vector<size_t>{0, 3, 6}));
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 3), (std::vector<size_t>{1, 2, 4, 5}));
    EXPECT_EQ(viewsOfSplit(dataset, Split::all, 3).size(), 7u);
}

TEST(Split, ZeroTrainsOnAll) {
    Dataset dataset = datasetOf(3);
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 0).size(), 3u);
    EXPECT_TRUE(viewsOfSplit(dataset, Split::test, 0).empty());
    dataset.ownUses = {kTestUse, kTrainUse, kTestUse};
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 0).size(), 3u);
    EXPECT_TRUE(viewsOfSplit(dataset, Split::test, 0).empty());
}

TEST(Split, TheDatasetsOwnTestViewsGoFirst) {
    Dataset dataset = datasetOf(4);
    dataset.ownUses = {kTrainUse, kTrainUse, kTestUse, kTrainUse};
    EXPECT_EQ(viewsOfSplit(dataset, Split::test, 8), std::vector<size_t>{2});
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 8), (std::vector<size_t>{0, 1, 3}));
}

TEST(Split, AViewMayBeForBothOrForNeither) {
    Dataset dataset = datasetOf(3);
    dataset.ownUses = {{.train = true, .test = true}, {}, kTrainUse};
    EXPECT_EQ(viewsOfSplit(dataset, Split::test, 8), std::vector<size_t>{0});
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 8), (std::vector<size_t>{0, 2}));
    EXPECT_EQ(viewsOfSplit(dataset, Split::all, 8).size(), 3u);
}

TEST(Dataset, ColmapWinsWhereAFolderHasBoth) {
    const Scratch scratch;
    scratch.write("sparse/cameras.txt", "1 PINHOLE 8 6 7 7 4 3\n");
    scratch.write("sparse/images.txt", "1 1 0 0 0 0 0 0 1 a.webp\n\n");
    scratch.write("transforms.json", R"({"fl_x": 7, "w": 8, "h": 6, "frames": [{"file_path": "images/a.webp",
        "transform_matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}]})");
    scratch.write("images/a.webp", encodeWebp(testImage(8, 6, 3)));
    const Dataset dataset = loadDataset(scratch.path());
    EXPECT_EQ(dataset.views.size(), 1u);
    EXPECT_EQ(dataset.format, "colmap");
    EXPECT_EQ(dataset.otherFormats, std::vector<std::string_view>{"transforms"});
}

TEST(Dataset, AFolderThatHasBothIsReadAsToldTo) {
    const Scratch scratch;
    scratch.write("sparse/cameras.txt", "1 PINHOLE 8 6 7 7 4 3\n");
    scratch.write("sparse/images.txt", "1 1 0 0 0 0 0 0 1 a.webp\n\n");
    scratch.write("transforms.json", R"({"w": 8, "h": 6, "fl_x": 9, "frames": [{"file_path": "images/a.webp",
        "transform_matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}]})");
    scratch.write("images/a.webp", encodeWebp(testImage(8, 6, 3)));
    const auto load = [&](const char* format) { return loadDataset(scratch.path(), {.format = format}); };
    EXPECT_EQ(load("colmap").views[0].camera.fx, 7);
    EXPECT_EQ(load("transforms").views[0].camera.fx, 9);
    EXPECT_EQ(load("transforms").format, "transforms");
    EXPECT_EQ(load("transforms").otherFormats, std::vector<std::string_view>{"colmap"});
    expectInputError([&] { load("blender"); }, {"`format`", "'blender'", "colmap or transforms"});
    std::filesystem::remove(scratch.path() / "transforms.json");
    EXPECT_TRUE(load("colmap").otherFormats.empty());
    expectInputError([&] { load("transforms"); }, {scratch.path().string(), "no dataset found", "transforms.json"});
}

TEST(Dataset, WhatIsNoDatasetIsNamedWithWhatWasExpected) {
    const Scratch scratch;
    expectInputError([&] { loadDataset(scratch.path() / "none"); }, {"none", "no such dataset"});
    expectInputError([&] { loadDataset(scratch.path()); },
                     {scratch.path().string(), "sparse/0", "transforms.json", "transforms_train.json"});
    expectInputError([&] { loadDataset(scratch.write("note.txt", "text")); }, {"note.txt", "expected"});
}

TEST(Dataset, AModelWithoutImagesIsEmpty) {
    const Scratch scratch;
    scratch.write("sparse/0/cameras.txt", "# nothing\n");
    expectInputError([&] { loadDataset(scratch.path()); }, {"images.txt", "cannot be read"});
    scratch.write("sparse/0/images.txt", "# nothing\n");
    expectInputError([&] { loadDataset(scratch.path()); }, {scratch.path().string(), "no views"});
}

TEST(Dataset, MissingImagesAreCounted) {
    const Scratch scratch;
    scratch.write("sparse/cameras.txt", "1 PINHOLE 8 6 7 7 4 3\n");
    scratch.write("sparse/images.txt", "1 1 0 0 0 0 0 0 1 a.webp\n\n2 1 0 0 0 0 0 0 1 b.webp\n\n3 1 0 0 0 0 0 0 1 c.webp\n\n");
    scratch.write("images/b.webp", encodeWebp(testImage(8, 6, 3)));
    expectInputError([&] { loadDataset(scratch.path()); }, {"a.webp", "missing", "2 of the 3"});
}

}  // namespace
}  // namespace splat
