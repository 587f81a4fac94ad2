#include "run.h"

#include <splatwright/scene/images/image_file.h>

namespace splat {
namespace {

using namespace test;

/// A tiny dataset as transforms.json alone, for damaging; COLMAP's files would be read first.
struct BadInput : testing::Test {
    BadInput() { fs::remove_all(data / "sparse"); }

    fs::path out() const { return scratch.path() / "deep" / "out"; }

    Outcome train() const { return splatwright({"train", data, "-o", out(), "--steps", "2"}); }

    void editTransforms(const std::function<void(json&)>& edit) const {
        json transforms = json::parse(readTextFile(data / "transforms.json"));
        edit(transforms);
        writeFileAtomically(data / "transforms.json", transforms.dump());
    }

    /// Training fails with this code and these words, and leaves no trace where it would have written.
    void expectTrainingToFail(int code, const std::vector<std::string>& parts) const {
        expectFailure(train(), code, parts);
        EXPECT_FALSE(fs::exists(out().parent_path()));
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
};

TEST_F(BadInput, MissingImage) {
    fs::remove(data / "images" / "0003.png");
    expectTrainingToFail(2, {(data / "images" / "0003.png").string(), "missing", "1 of the 6"});
}

TEST_F(BadInput, TruncatedImage) {
    const fs::path image = data / "images" / "0003.png";
    fs::resize_file(image, fs::file_size(image) / 2);
    expectTrainingToFail(2, {image.string()});
}

TEST_F(BadInput, ImageOfAnotherShape) {
    writePng(data / "images" / "0003.png", Image8(50, 50, 3));
    expectTrainingToFail(2, {"0003.png", "50x50", "32x24"});
}

TEST_F(BadInput, UnknownCameraModel) {
    editTransforms([](json& t) { t["camera_model"] = "FISHBOWL"; });
    expectTrainingToFail(2, {"transforms.json", "camera_model", "FISHBOWL", "PINHOLE"});
}

TEST_F(BadInput, NotANumberInAPose) {
    std::string text = readTextFile(data / "transforms.json");
    const size_t first = text.find_first_of("-0123456789", text.find('[', text.find("transform_matrix")));
    text.replace(first, text.find_first_of(",]", first) - first, "NaN");
    writeFileAtomically(data / "transforms.json", text);
    expectTrainingToFail(2, {"transforms.json", "transform_matrix"});
}

TEST_F(BadInput, EmptyDataset) {
    editTransforms([](json& t) { t["frames"] = json::array(); });
    expectTrainingToFail(2, {data.string(), "views"});
}

TEST_F(BadInput, FolderThatIsNoDataset) {
    fs::remove(data / "transforms.json");
    expectTrainingToFail(2, {data.string(), "transforms.json", "cameras.bin"});
}

TEST_F(BadInput, NothingLeftToTrainOn) {
    const Outcome outcome = splatwright({"train", data, "-o", out(), "--test-every", "1"});
    expectFailure(outcome, 2, {data.string(), "--test-every 1"});
    EXPECT_FALSE(fs::exists(out()));
}

TEST_F(BadInput, OutputBelowAFile) {
    const fs::path file = scratch.write("file", "kept");
    const Outcome outcome = splatwright({"train", data, "-o", file / "out"});
    expectFailure(outcome, 1, {(file / "out").string(), "Not a directory"});
    for (const char* later : {"training views", "compiling kernels"}) EXPECT_EQ(outcome.err.find(later), std::string::npos) << outcome.err;
    EXPECT_EQ(readTextFile(file), "kept");
}

TEST_F(BadInput, OutputThatIsAFile) {
    const fs::path file = scratch.write("file", "kept");
    expectFailure(splatwright({"train", data, "-o", file}), 2, {file.string(), "is a file"});
    EXPECT_EQ(readTextFile(file), "kept");
}

TEST_F(BadInput, OutputThatHoldsAnotherRun) {
    scratch.write("deep/out/splats.ply", "an older run");
    expectFailure(train(), 2, {out().string(), "splats.ply", "--force"});
    EXPECT_EQ(readTextFile(out() / "splats.ply"), "an older run");
}

TEST_F(BadInput, FailureLeavesAnOlderRunAlone) {
    scratch.write("deep/out/splats.ply", "an older run");
    fs::remove(data / "images" / "0003.png");
    expectFailure(splatwright({"train", data, "-o", out(), "--force"}), 2, {"0003.png"});
    EXPECT_EQ(readTextFile(out() / "splats.ply"), "an older run");
}

TEST_F(BadInput, ConfigWithAnUnknownKey) {
    const fs::path config = scratch.write("config.json", R"({"steps": 2, "lr_mean": 1})");
    const Outcome outcome = splatwright({"train", data, "-o", out(), "--config", config});
    expectFailure(outcome, 2, {config.string(), "'lr_mean'", "lr_means"});
}

/// The header of a splat file with one vertex of these properties, and so many zero bytes.
std::string plyOf(const std::vector<std::string>& properties, size_t bytes) {
    std::string text = "ply\nformat binary_little_endian 1.0\nelement vertex 1\n";
    for (const std::string& property : properties) text += "property float " + property + "\n";
    return text + "end_header\n" + std::string(bytes, '\0');
}

const std::vector<std::string> kSplatProperties{"x",       "y",       "z",       "f_dc_0", "f_dc_1", "f_dc_2", "opacity",
                                                "scale_0", "scale_1", "scale_2", "rot_0",  "rot_1",  "rot_2",  "rot_3"};

TEST_F(BadInput, PlyWithAMissingProperty) {
    std::vector<std::string> properties = kSplatProperties;
    std::erase(properties, "opacity");
    const fs::path ply = scratch.write("splats.ply", plyOf(properties, properties.size() * 4));
    expectFailure(splatwright({"eval", ply, data}), 2, {ply.string(), "opacity"});
    expectFailure(splatwright({"render", ply, "--orbit", "2", "-o", out()}), 2, {ply.string(), "opacity"});
    EXPECT_FALSE(fs::exists(out()));
}

TEST_F(BadInput, PlyWithTooFewBytes) {
    const fs::path ply = scratch.write("splats.ply", plyOf(kSplatProperties, kSplatProperties.size() * 4 - 1));
    expectFailure(splatwright({"eval", ply, data}), 2, {ply.string(), "55", "56"});
}

TEST_F(BadInput, CameraFileWithAMissingProperty) {
    std::string row = plyOf(kSplatProperties, kSplatProperties.size() * 4);
    row[row.size() - 16 + 3] = 0x3f;  // a quaternion must not be zero
    const fs::path ply = scratch.write("splats.ply", row);
    const fs::path camera = scratch.write("camera.json", R"({"width": 32, "height": 24, "fl_x": 30, "fl_y": 30, "cx": 16})");
    expectFailure(splatwright({"render", ply, "--camera", camera, "-o", out()}), 2, {camera.string(), "cy", "missing"});
    const fs::path skewed = scratch.write("skewed.json", R"([{"width": 32, "height": 24, "fl_x": 30, "fl_y": 30, "cx": 16, "cy": 12,
        "world_to_camera": [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}])");
    expectFailure(splatwright({"render", ply, "--camera", skewed, "-o", out()}), 2, {skewed.string(), "world_to_camera", "rotation"});
    EXPECT_FALSE(fs::exists(out()));
}

}  // namespace
}  // namespace splat
