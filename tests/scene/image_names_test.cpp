#include <nlohmann/json.hpp>

#include <splatwright/core/names.h>
#include <splatwright/scene/datasets/companions.h>
#include <splatwright/scene/datasets/dataset.h>
#include "encoders.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace std::string_literals;
using namespace test;
using nlohmann::json;
namespace fs = std::filesystem;

/// A scene folder beside other files, whose one image has the name that a test gives it.
class NamedScene {
public:
    NamedScene() {
        for (const char* name : {"scene/images/a.png", "scene/more/b.png", "scenery/c.png", "d.png"}) picture(name);
        if (fs::path::preferred_separator == '/') picture("scene/images/C:/e.png");  // elsewhere no name of a folder
        scratch_.write(
            "scene/sparse/0/cameras.bin",
            Bytes().put(uint64_t{1}).put(1).put(1).put(uint64_t{8}).put(uint64_t{6}).put(7.0).put(7.0).put(4.0).put(3.0).content());
    }
    fs::path path(const std::string& name = "scene") const { return scratch_.path() / name; }
    void picture(const std::string& name) const { scratch_.write(name, encodeWebp(testImage(8, 6, 3))); }

    Dataset colmap(const std::vector<std::string>& names, const DatasetOptions& options = {}) const {
        Bytes images;
        images.put(uint64_t{names.size()});
        for (uint32_t id = 1; const std::string& name : names) {
            images.put(id++);
            for (const double pose : {1, 0, 0, 0, 0, 0, 0}) images.put(pose);
            images.put(1).putText(name).put(uint64_t{0});
        }
        scratch_.write("scene/sparse/0/images.bin", images.content());
        return loadDataset(path(), options);
    }
    Dataset transforms(const std::string& name, const DatasetOptions& options = {}, const std::string& points = {}) const {
        json content{{"w", 8}, {"h", 6}, {"fl_x", 7}, {"frames", {{{"file_path", name}}}}};
        content["frames"][0]["transform_matrix"] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        if (!points.empty()) content["ply_file_path"] = points;
        scratch_.write("scene/transforms.json", content.dump());
        return loadDataset(path("scene/transforms.json"), options);
    }
    const Scratch& scratch() const { return scratch_; }

private:
    Scratch scratch_;
};

TEST(ImageNames, MayTakeAnyWayInsideTheDataset) {
    const NamedScene scene;
    const std::string absolute = scene.path("scene/images/a.png").string();
    struct Case {
        std::string colmap, transforms, name, image;
    };
    const std::vector<Case> cases{
        {"a.png", "images/a.png", "a.png", "scene/images/a.png"},
        {"./a.png", "./images/a.png", "a.png", "scene/images/a.png"},
        {"x/../a.png", "images/../images/a.png", "a.png", "scene/images/a.png"},
        {"../images/a.png", "./images//x/../a.png", "a.png", "scene/images/a.png"},
        {"../../scene/images/a.png", "../scene/images/a.png", "a.png", "scene/images/a.png"},
        {absolute, absolute, "a.png", "scene/images/a.png"},
        {"..\\images\\a.png", "images\\a.png", "a.png", "scene/images/a.png"},
        {"../more/b.png", "more/b.png", "more/b.png", "scene/more/b.png"},
    };
    for (const Case& c : cases) {
        for (const Dataset& dataset : {scene.colmap({c.colmap}), scene.transforms(c.transforms)}) {
            ASSERT_EQ(dataset.views.size(), 1u);
            EXPECT_EQ(dataset.views[0].name, c.name) << c.colmap << " " << c.transforms;
            EXPECT_EQ(dataset.views[0].image, scene.path(c.image)) << c.colmap << " " << c.transforms;
        }
    }
}

TEST(ImageNames, AreRefusedWhereTheyLeadOut) {
    const NamedScene scene;
    const std::vector<std::string> outside{"../../d.png",
                                           "../../scenery/c.png",  // begins like the folder's own name
                                           "x/../../../../d.png",
                                           "/etc/hostname",
                                           scene.path("d.png").string(),
                                           scene.path().string() + "/../d.png",
                                           "..\\..\\d.png",
                                           "\\\\server\\share\\d.png",
                                           "C:\\e.png",
                                           "C:/e.png"};
    for (const std::string& name : outside) {
        const std::vector<std::string> said{"is '" + escapedName(name) + "'", "is outside", "`allowOutside`"};
        expectInputError([&] { scene.colmap({name}); }, said);
        expectInputError([&] { scene.transforms(name); }, said);
        expectInputError([&] { scene.transforms("images/a.png", {}, name); }, {"ply_file_path", "is outside"});
    }
    expectInputError([&] { scene.colmap({"../../d.png"}); }, {"images.bin: image name"});
    expectInputError([&] { scene.transforms("../d.png"); }, {"transforms.json: frame 0", "file_path"});
}

TEST(ImageNames, MayLeadAnywhereIfThatIsAllowed) {
    const NamedScene scene;
    const DatasetOptions allowed{.allowOutside = true};
    EXPECT_EQ(scene.colmap({"../../d.png"}, allowed).views[0].image, scene.path("d.png"));
    EXPECT_EQ(scene.colmap({"../../d.png"}, allowed).views[0].name, "d.png");
    EXPECT_EQ(scene.transforms("../d.png", allowed).views[0].image, scene.path("d.png"));
    EXPECT_EQ(scene.transforms(scene.path("d.png").string(), allowed).views[0].image, scene.path("d.png"));
}

TEST(ImageNames, FollowSymbolicLinksThatTheDatasetHas) {
    const NamedScene scene;
    fs::create_directory_symlink(scene.path("scenery"), scene.path("scene/images/linked"));
    EXPECT_EQ(scene.colmap({"linked/c.png"}).views[0].name, "linked/c.png");
    EXPECT_EQ(scene.transforms("images/linked/c.png").views[0].name, "linked/c.png");
}

TEST(ImageNames, OfAnotherImageFolderStayInThatOne) {
    const NamedScene scene;
    scene.picture("half/a.png");
    scene.picture("half/images/d.png");
    const DatasetOptions half{.images = scene.path("half")};
    EXPECT_EQ(scene.colmap({"./a.png"}, half).views[0].image, scene.path("half/a.png"));
    expectInputError([&] { scene.colmap({"../d.png"}, half); }, {"is outside"});
    EXPECT_EQ(scene.transforms("../images/d.png", half).views[0].image,
              scene.path("half/images/d.png"));  // looked for below it, come what may
}

TEST(ImageNames, AreBytesThatBecomeText) {
    const NamedScene scene;
    const std::vector<std::string> names{"M\xfcnchen.png", "a\nb.png", "\x1b[2J.png", "back\\slash.png", "M\\xfcnchen.png"};
    for (const std::string& name : names) scene.picture("scene/images/" + name);
    const Dataset dataset = scene.colmap(names);
    ASSERT_EQ(dataset.views.size(), names.size());
    for (const View& view : dataset.views) {
        EXPECT_EQ(view.name, escapedName(view.file));
        EXPECT_EQ(view.image, scene.path("scene/images") / view.file);
        EXPECT_NE(std::ranges::find(names, view.file), names.end()) << view.name;
        EXPECT_NO_THROW(json(view.name).dump());
    }
    const auto byFile = [](const View& a, const View& b) { return a.file < b.file; };
    EXPECT_TRUE(std::ranges::is_sorted(dataset.views, byFile));
}

TEST(ImageNames, OfMasksAreTheSameBytes) {
    const NamedScene scene;
    scene.picture("scene/images/M\xfcnchen.png");
    scene.picture("scene/masks/M\xfcnchen.png.png");
    const Dataset dataset = scene.colmap({"M\xfcnchen.png"});
    EXPECT_EQ(findCompanions(dataset, {0}, "masks").at(0), scene.path("scene/masks/M\xfcnchen.png.png"));
}

TEST(ImageNames, WithAZeroByteOrOfAbsurdLengthAreRefused) {
    const NamedScene scene;
    expectInputError([&] { scene.transforms("images/a.png\0.exe"s); }, {"file_path", "images/a.png\\x00.exe", "zero byte"});
    expectInputError([&] { scene.transforms("images/a.png", {}, "p\0.ply"s); }, {"ply_file_path", "zero byte"});
    const std::string message = inputErrorOf([&] { scene.colmap({std::string(100'000, 'x')}); });
    EXPECT_NE(message.find("of 100000 bytes"), std::string::npos) << message;
    EXPECT_LT(message.size(), 1000u);
    expectInputError([&] { scene.colmap({""}); }, {"images.bin", "path of an image"});
    const Scratch text;
    text.write("cameras.txt", "1 PINHOLE 8 6 7 7 4 3\n");
    text.write("images.txt", "1 1 0 0 0 0 0 0 1 a\0b.png\n\n"s);
    expectInputError([&] { loadDataset(text.path()); }, {"images.txt", "a\\x00b.png", "zero byte"});
}

}  // namespace
}  // namespace splat
