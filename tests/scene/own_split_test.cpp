#include <nlohmann/json.hpp>

#include <splatwright/scene/datasets/dataset.h>
#include "encoders.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
using nlohmann::json;
namespace fs = std::filesystem;

/// Frames images/0.png to images/5.png, listed out of order, and lists as nerfstudio has them.
class ListedScene {
public:
    ListedScene() {
        for (const int i : kOrder) scratch_.write(file(i), encodeWebp(testImage(8, 6, 3)));
    }
    static std::string file(int i) { return fmt::format("images/{}.png", i); }
    Dataset load(const json& lists) const {
        json content{{"w", 8}, {"h", 6}, {"fl_x", 7}, {"frames", json::array()}};
        for (const int i : kOrder)
            content["frames"].push_back({{"file_path", file(i)}, {"transform_matrix", {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}});
        content.update(lists);
        scratch_.write("transforms.json", content.dump());
        return loadDataset(scratch_.path());
    }
    /// The lists' views by number, as a split has them.
    std::vector<size_t> split(const json& lists, Split split, int testEvery = 8) const {
        return viewsOfSplit(load(lists), split, testEvery);
    }

private:
    static constexpr std::array kOrder{3, 0, 5, 1, 4, 2};
    Scratch scratch_;
};

json listOf(const std::vector<int>& numbers) {
    json list = json::array();
    for (const int i : numbers) list.push_back(ListedScene::file(i));
    return list;
}

using Views = std::vector<size_t>;

TEST(OwnSplit, ListsOfFilenamesGoBeforeEveryNthView) {
    const ListedScene scene;
    const json lists{{"train_filenames", listOf({4, 1})}, {"val_filenames", listOf({3})}, {"test_filenames", listOf({0, 5})}};
    for (const int testEvery : {1, 2, 8}) {
        EXPECT_EQ(scene.split(lists, Split::train, testEvery), (Views{1, 4}));
        EXPECT_EQ(scene.split(lists, Split::test, testEvery), (Views{0, 5}));
    }
    EXPECT_EQ(scene.split(lists, Split::all).size(), 6u);
    EXPECT_EQ(scene.split(lists, Split::train, 0).size(), 6u);
}

TEST(OwnSplit, ValidationViewsAreTestedWhereThereIsNoListOfTestViews) {
    const ListedScene scene;
    const json lists{{"train_filenames", listOf({1, 2})}, {"val_filenames", listOf({3, 4})}};
    EXPECT_EQ(scene.split(lists, Split::test), (Views{3, 4}));
    json both = lists;
    both["test_filenames"] = json::array();
    EXPECT_EQ(scene.split(both, Split::test), Views{});
}

TEST(OwnSplit, WithoutAListOfTrainingViewsThoseOnNoListAreTrained) {
    const ListedScene scene;
    EXPECT_EQ(scene.split({{"val_filenames", listOf({3})}, {"test_filenames", listOf({0})}}, Split::train), (Views{1, 2, 4, 5}));
    EXPECT_EQ(scene.split({{"train_filenames", listOf({3})}}, Split::test), Views{});
}

TEST(OwnSplit, AViewOnTwoListsIsUsedForBoth) {
    const json lists{{"train_filenames", listOf({1, 2})}, {"test_filenames", listOf({2})}};
    EXPECT_EQ(ListedScene().split(lists, Split::train), (Views{1, 2}));
    EXPECT_EQ(ListedScene().split(lists, Split::test), Views{2});
}

TEST(OwnSplit, PathsAreComparedAndNotTheirSpelling) {
    const ListedScene scene;
    const json lists{{"train_filenames", {"./images/1.png", "images\\2.png"}}, {"test_filenames", {"images/../images/3.png"}}};
    EXPECT_EQ(scene.split(lists, Split::train), (Views{1, 2}));
    EXPECT_EQ(scene.split(lists, Split::test), Views{3});
}

/// As every property of a frame, the path may be given once for all of them.
TEST(OwnSplit, AFrameWithoutAPathOfItsOwnHasThatOfTheFile) {
    const ListedScene scene;
    json lists{{"file_path", ListedScene::file(2)}, {"test_filenames", listOf({2, 5})}, {"frames", json::array()}};
    for (const char* path : {"images/0.png", "", "images/5.png"}) {
        json frame{{"transform_matrix", {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
        if (*path != '\0') frame["file_path"] = path;
        lists["frames"].push_back(frame);
    }
    EXPECT_EQ(scene.split(lists, Split::train), (Views{0}));
    EXPECT_EQ(scene.split(lists, Split::test), (Views{1, 2}));
}

TEST(OwnSplit, WhatIsNoListOfFramesIsNamed) {
    const ListedScene scene;
    const auto expect = [&](const json& lists, const std::vector<std::string>& parts) {
        expectInputError([&] { scene.load(lists); }, parts);
    };
    for (const char* property : {"train_filenames", "val_filenames", "test_filenames"}) {
        expect({{property, {"images/9.png"}}}, {"transforms.json", property, "'images/9.png'", "one of the 6 frames"});
        expect({{property, {"1.png"}}}, {property, "'1.png'"});
        expect({{property, "images/1.png"}}, {property, "\"images/1.png\"", "list"});
        expect({{property, {1}}}, {property, "contains 1"});
    }
    expect({{"test_filenames", {"a\n\x1b[2J"}}}, {"'a\\n\\x1b[2J'"});
}

}  // namespace
}  // namespace splat
