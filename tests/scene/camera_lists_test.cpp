// Lists of cameras in the formats of others.
#include <splatwright/scene/datasets/camera_lists.h>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/cameras/look_at.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

std::vector<NamedView> someViews() {
    std::vector<NamedView> views;
    for (int i = 0; i < 3; ++i) {
        const glm::dvec3 eye(1 + i, -2, 3 - 2 * i);
        views.push_back({"view_" + std::to_string(i), lookAt(eye, {0.5, 0, 0.25}, {0.1, -1, 0.2}, 200 + 10 * i, 320, 240)});
    }
    return views;
}

void expectNear(const std::vector<NamedView>& found, const std::vector<NamedView>& expected, const std::string& ending) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
        const Camera &a = found[i].camera, &b = expected[i].camera;
        EXPECT_EQ(found[i].name, expected[i].name + ending);
        EXPECT_EQ(glm::ivec2(a.width, a.height), glm::ivec2(b.width, b.height));
        EXPECT_NEAR(a.fx, b.fx, 1e-9);
        EXPECT_NEAR(a.cy, b.cy, 1e-9);
        for (int k = 0; k < 3; ++k) EXPECT_LT(glm::distance(a.rotation[k], b.rotation[k]), 1e-9);
        EXPECT_LT(glm::distance(a.translation, b.translation), 1e-9);
    }
}

TEST(CameraLists, AreReadAsTheyWereWritten) {
    const Scratch scratch;
    for (const CameraList& list : cameraLists()) {
        SCOPED_TRACE(list.name);
        const bool isFolder = *list.ending != '.';
        const auto path = scratch.path() / (isFolder ? std::string(list.name) : list.name + std::string(list.ending));
        list.write(path, someViews());
        expectNear(readCameraList(path), someViews(), isFolder ? ".png" : "");
        if (isFolder) expectNear(readCameraList(path / list.ending), someViews(), ".png");
    }
}

/// Written by hand after Inria's camera_to_JSON(): the camera is at (1, 2, 3), looks along world x, and world z is down in its image.
TEST(CameraLists, OfInriaHavePosesFromCameraToWorld) {
    const Scratch scratch;
    const auto path = scratch.write("cameras.json", R"([{"id": 0, "img_name": "DSC1", "width": 200, "height": 100, "position": [1, 2, 3],
        "rotation": [[0, 0, 1], [-1, 0, 0], [0, -1, 0]], "fy": 90, "fx": 80}])");
    const NamedView view = readCameraList(path).at(0);
    EXPECT_EQ(view.name, "DSC1");
    EXPECT_LT(glm::distance(view.camera.position(), {1, 2, 3}), 1e-12);
    const glm::dvec3 ahead = view.camera.rotation * glm::dvec3(11, 2, 3) + view.camera.translation;
    EXPECT_LT(glm::distance(ahead, {0, 0, 10}), 1e-12);
    EXPECT_EQ(view.camera.cx, 100);
    EXPECT_EQ(view.camera.fx, 80);
    EXPECT_EQ(view.camera.fy, 90);
}

TEST(CameraLists, SayWhatIsWrong) {
    const Scratch scratch;
    const std::string whole = R"("position": [1, 2, 3], "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]])";
    const auto refused = [&](const std::string& entry, const std::string& part) {
        try {
            readCameraList(scratch.write("cameras.json", "[{" + entry + "}]"));
            ADD_FAILURE() << entry;
        } catch (const InputError& problem) {
            EXPECT_NE(std::string(problem.what()).find("cameras.json: camera 0"), std::string::npos) << problem.what();
            EXPECT_NE(std::string(problem.what()).find(part), std::string::npos) << problem.what();
        }
    };
    const std::string size = R"("img_name": "a", "width": 20, "height": 10, )", lens = R"(, "fx": 10, "fy": 10)";
    refused(size + whole, "fx");
    refused(R"("img_name": "a", "width": 20.5, "height": 10, )" + whole + lens, "width");
    refused(R"("img_name": "a", "width": 1099511627776, "height": 10, )" + whole + lens, "width");
    refused(size + R"("position": [1, 2], "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]])" + lens, "out of range");
    refused(size + R"("position": [1, 2, 3], "rotation": [[1, 0, 0], [0, 2, 0], [0, 0, 1]])" + lens, "rotation");
    EXPECT_THROW(readCameraList(scratch.path() / "nothing"), InputError);
    EXPECT_THROW(cameraListByName("blender"), InputError);
}

}  // namespace
}  // namespace splat
