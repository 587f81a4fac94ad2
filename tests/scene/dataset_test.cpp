#include "scene/dataset.h"

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
    dataset.isTest = {true, false, true};
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 0).size(), 3u);
    EXPECT_TRUE(viewsOfSplit(dataset, Split::test, 0).empty());
}

TEST(Split, TheDatasetsOwnTestViewsGoFirst) {
    Dataset dataset = datasetOf(4);
    dataset.isTest = {false, false, true, false};
    EXPECT_EQ(viewsOfSplit(dataset, Split::test, 8), std::vector<size_t>{2});
    EXPECT_EQ(viewsOfSplit(dataset, Split::train, 8), (std::vector<size_t>{0, 1, 3}));
}

TEST(Dataset, ColmapWinsWhereAFolderHasBoth) {
    const Scratch scratch;
    scratch.write("sparse/cameras.txt", "1 PINHOLE 8 6 7 7 4 3\n");
    scratch.write("sparse/images.txt", "1 1 0 0 0 0 0 0 1 a.webp\n\n");
    scratch.write("transforms.json", R"({"fl_x": 7, "w": 8, "h": 6, "frames": [{"file_path": "images/a.webp",
        "transform_matrix": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}]})");
    scratch.write("images/a.webp", encodeWebp(testImage(8, 6, 3)));
    EXPECT_EQ(loadDataset(scratch.path()).views.size(), 1u);
    EXPECT_EQ(loadDataset(scratch.path()).format, "colmap");
    EXPECT_EQ(loadDataset(scratch.path() / "transforms.json").format, "transforms");
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
