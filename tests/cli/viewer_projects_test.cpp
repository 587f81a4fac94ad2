// Projects of the viewer: saved and opened again.
#include <splatwright/scene/images/image_file.h>
#include "viewer_project.h"

namespace splat {
namespace {

using namespace test;

using ViewerProjects = ViewerProject;

TEST_F(ViewerProjects, OpenAsTheyWereSaved) {
    expectSuccess(follow(work() + save() + look("saved.png") + writeReport("saved.json")));
    expectSuccess(follow(open() + look("opened.png") + writeReport("opened.json")));
    const json saved = kept("saved.json"), opened = kept("opened.json");
    for (const auto& [key, value] : saved.items()) EXPECT_EQ(opened.at(key), value) << key;
    EXPECT_EQ(opened.at("models").size(), 3u);
    EXPECT_GT(opened.at("marks").at("deleted").get<size_t>(), 0u);
    EXPECT_GT(opened.at("marks").at("hidden").get<size_t>(), 0u);
    EXPECT_GT(opened.at("marks").at("selected").get<size_t>(), 0u);
    EXPECT_EQ(readImage(at("opened.png")).pixels, readImage(at("saved.png")).pixels);
    EXPECT_EQ(unsaved("saved.json"), 0u);
    EXPECT_EQ(unsaved("opened.json"), 0u);
}

/// With its own files and those beside it; edits go on, and what is saved again is complete.
TEST_F(ViewerProjects, CanBeMovedWithTheirFolder) {
    expectSuccess(follow(work() + save()));
    fs::rename(at("scene"), at("elsewhere"));
    const std::string moved = at("elsewhere/own.splatproject").string();
    expectSuccess(
        follow("open " + moved + "\nmodel \"sheet copy\"\nkey Ctrl+A\nkey Delete\nsave_project\n" + writeReport("edited.json"), {}));
    expectSuccess(follow(writeReport("opened.json"), {}, {moved}));
    EXPECT_EQ(kept("opened.json"), kept("edited.json"));
    EXPECT_EQ(kept("opened.json").at("models").size(), 3u);
}

/// The file of a model that is closed goes when the project is saved; one that a project lacks stays in it.
TEST_F(ViewerProjects, KeepTheFilesThatTheyNeed) {
    const fs::path folder = at("scene/own.splatproject.files");
    const auto files = [&] { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); };
    expectSuccess(follow(work() + save()));
    EXPECT_EQ(files(), 1);
    fs::rename(at("a.ply"), at("away.ply"));
    expectSuccess(follow("try " + open() + writeReport("missing.json") + "model \"sheet copy\"\nclose\nsave_project\n"));
    EXPECT_EQ(kept("missing.json").at("models").size(), 2u);
    EXPECT_TRUE(readReport("missing.json").at("problem").get<bool>());
    EXPECT_EQ(files(), 0);
    fs::rename(at("away.ply"), at("a.ply"));
    expectSuccess(follow(open() + writeReport("back.json")));
    const json models = kept("back.json").at("models");
    ASSERT_EQ(models.size(), 2u);
    EXPECT_EQ(models[0].at("name"), "a");
    EXPECT_EQ(models[0].at("scale"), 0.5);
}

/// Steps that no other file has. Between two frames of a busy machine 30 steps can pass, so there are far more.
TEST_F(ViewerProjects, GoOnWithTheirTraining) {
    const fs::path data = tinyDataset(scratch, "scene/data");
    expectSuccess(follow("train_set init random\ntrain_set init_count 60\nopen " + data.string() +
                         "\nwait phase ready\ntrain_set steps 400\nkey T\nwait step 12\nkey T\nwait phase paused\n" + save() +
                         "wait file " + at("scene/own.splatproject.files/training.splat-ckpt").string() + "\n" +
                         writeReport("saved.json")));
    expectSuccess(follow(open() + "wait phase paused\n" + writeReport("opened.json") + "key T\nwait phase finished\n" +
                         writeReport("finished.json")));
    const auto step = [&](const char* report) { return readReport(report).at("training").at("step").get<int>(); };
    EXPECT_GE(step("saved.json"), 12);
    EXPECT_EQ(step("opened.json"), step("saved.json"));
    EXPECT_EQ(step("finished.json"), 400);
}

TEST_F(ViewerProjects, ThatCannotBeReadChangeNothing) {
    expectSuccess(follow(work() + save()));
    const json whole = json::parse(readTextFile(project));
    const std::vector<std::pair<std::string, std::string>> broken{
        {"splatproject", "2"}, {"models", "{\"file\": 1}"}, {"camera", "null"}, {"bookmarks", "[1]"}, {"picture", "{\"no\": 1}"}};
    std::string script = openSplats();
    for (const auto& [key, value] : broken) {
        json changed = whole;
        changed[key] = json::parse(value);
        std::ofstream(at(key + ".splatproject")) << changed;
        script += "try open " + at(key + ".splatproject").string() + "\n" + writeReport(key + ".json");
    }
    expectSuccess(follow(script));
    for (const auto& [key, value] : broken) {
        EXPECT_TRUE(readReport(key + ".json").at("problem").get<bool>()) << key;
        EXPECT_NE(readReport(key + ".json").at("notice").get<std::string>().find(key + ".splatproject"), std::string::npos);
        EXPECT_EQ(readReport(key + ".json").at("models").size(), 1u) << key;
    }
}

/// Edits are of splats by their number.
TEST_F(ViewerProjects, LeaveOutEditsOfAnotherFile) {
    expectSuccess(follow("open " + at("scene/sheet.ply").string() + "\nselect_box 0 0 0 0.3 3 1\nkey Delete\n" + save()));
    fs::copy(splats, at("scene/sheet.ply"), fs::copy_options::overwrite_existing);
    expectSuccess(follow("try " + open() + writeReport()));
    EXPECT_TRUE(readReport().at("problem").get<bool>());
    EXPECT_EQ(readReport().at("marks").at("deleted"), 0);
    EXPECT_EQ(readReport().at("models").size(), 1u);
}

/// The file then has the edits and the place, which the project would give it once more.
TEST_F(ViewerProjects, KeepAModelThatWasSavedOverItsFile) {
    const std::string sheet = at("scene/sheet.ply").string();
    expectSuccess(follow("open " + sheet +
                         "\nselect_box -0.8 0 0 0.21 3 1\nkey Delete\nselect_box 0.8 0 0 0.11 3 1\nkey H\nplace 1 0 0 0 0 90 2\nsave " +
                         sheet + "\n" + save() + writeReport("saved.json")));
    expectSuccess(follow(open() + writeReport("open.json") + "select_opacity 0 1\nsave_selection " + sheet + "\n" + save() +
                         writeReport("again.json")));
    EXPECT_EQ(kept("open.json"), kept("saved.json"));
    expectSuccess(follow(open() + writeReport("last.json")));
    EXPECT_EQ(kept("last.json"), kept("again.json"));
}

/// Before its splats are counted, a frame or two later.
TEST_F(ViewerProjects, WhatWasDeletedJustNowIsAskedAboutWhenItsModelIsClosed) {
    expectSuccess(follow("open " + at("scene/sheet.ply").string() +
                         "\nwait picture\nquestions 1\nkey Ctrl+A\nkey Delete\nclose\nwait frames 2\n" + writeReport()));
    EXPECT_TRUE(readReport().at("controls").at("question").get<bool>());
    EXPECT_EQ(readReport().at("models").size(), 1u);
}

}  // namespace
}  // namespace splat
