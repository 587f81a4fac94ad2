#include <splatwright/scene/formats/usd/usda.h>

#include <limits>

#include <glm/gtc/quaternion.hpp>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/model_transform.h>
#include "usda_samples.h"

namespace splat {
namespace {

using namespace test;

constexpr const char* kType = "ParticleField3DGaussianSplat";

Gaussians read(const std::string& content) {
    const Scratch scratch;
    return readSplats(scratch.write("a.usda", content));
}

void expectRefused(const std::string& content, std::vector<std::string> parts) {
    parts.emplace_back("a.usda");
    expectInputError([&] { read(content); }, parts);
}

std::string scene(const std::string& prims, const std::string& metadata = "") {
    return fmt::format("#usda 1.0\n({})\n{}", metadata, prims);
}

std::string prim(const std::string& type, const std::string& body, const std::string& metadata = "") {
    return fmt::format("def {} \"a\" {}\n{{\n{}\n}}\n", type, metadata, body);
}

/// A prim of one splat at a position, with nothing else.
std::string splatAt(const std::string& position, const std::string& more = "") {
    return prim(kType, "point3f[] positions = [" + position + "]\n" + more);
}

std::string ops(const std::string& attributes, const std::string& order) {
    return attributes + "\nuniform token[] xformOpOrder = [" + order + "]\n";
}

/// The only splat's position, back in the scene's frame.
void expectAt(const std::string& content, glm::vec3 expected) {
    const Gaussians g = read(content);
    ASSERT_EQ(g.count(), 1u);
    EXPECT_LT(glm::distance(g.means[0] * glm::vec3(1, -1, -1), expected), 1e-5f)
        << g.means[0].x << " " << g.means[0].y << " " << g.means[0].z;
}

TEST(Usda, TransformsOfPrimsAroundAreApplied) {
    const Gaussians g = randomSplats(20, 3);
    const std::string inner =
        prim(kType, usdaAttributes(g) + ops("quatd xformOp:orient = (0.5, 0.5, 0.5, 0.5)\nfloat xformOp:scaleX = 3\n"
                                            "float xformOp:scaleY = 3\nfloat xformOp:scaleZ = 3",
                                            "\"xformOp:orient\", \"xformOp:scaleX\", \"xformOp:scaleY\", \"xformOp:scaleZ\""));
    const std::string outer = prim(
        "Xform", ops("double3 xformOp:translate = (1, 2, 3)\nfloat xformOp:rotateZ = 90", "\"xformOp:translate\", \"xformOp:rotateZ\"") +
                     prim("Scope", inner));
    // In the scene's frame: what the innermost operation does comes first.
    const double half = std::sqrt(0.5);
    const ModelTransform transform =
        composed({.translation = {1, 2, 3}, .rotation = {half, 0, 0, half}}, {.rotation = glm::dquat(0.5, 0.5, 0.5, 0.5), .scale = 3});
    Gaussians expected = g;
    flipAxes(expected, {1, -1, -1});
    expected = transformed(std::move(expected), transform);
    flipAxes(expected, {1, -1, -1});
    // The same ellipsoid, turned by half about its own x.
    for (glm::vec4& q : expected.rotations) q = {-q.y, q.x, q.w, -q.z};
    expectNear(read(scene(outer)), expected, kTurnedSteps);
}

TEST(Usda, OperationsGoInTheirOrder) {
    const auto transformed = [](const std::string& attributes, const std::string& order) {
        return scene(splatAt("(1, 2, 3)", ops(attributes, order)));
    };
    expectAt(transformed("float3 xformOp:rotateXYZ = (90, 90, 0)", "\"xformOp:rotateXYZ\""), {2, -3, -1});
    expectAt(transformed("float3 xformOp:rotateYXZ = (90, 90, 0)", "\"xformOp:rotateYXZ\""), {3, 1, 2});
    expectAt(transformed("float xformOp:rotateX = 90\nfloat xformOp:rotateY = 90", "\"xformOp:rotateY\", \"xformOp:rotateX\""),
             {2, -3, -1});
    expectAt(transformed("double3 xformOp:translate:pivot = (1, 0, 0)\nfloat xformOp:rotateZ:spin = 180",
                         "\"xformOp:translate:pivot\", \"xformOp:rotateZ:spin\", \"!invert!xformOp:translate:pivot\""),
             {1, -2, 3});
    expectAt(
        transformed("matrix4d xformOp:transform = ( (0, 2, 0, 0), (-2, 0, 0, 0), (0, 0, 2, 0), (10, 20, 30, 1) )", "\"xformOp:transform\""),
        {6, 22, 36});
    expectAt(transformed("float xformOp:translateY = 5", "\"xformOp:translateY\""), {1, 7, 3});
    expectAt(transformed("double3 xformOp:translate.timeSamples = { 0: (1, 1, 1), 10: (5, 5, 5) }", "\"xformOp:translate\""), {2, 3, 4});
    expectAt(transformed("double3 xformOp:translate = (9, 9, 9)", ""), {1, 2, 3});
    const std::string reset = splatAt("(1, 2, 3)", ops("float xformOp:translateX = 1", "\"!resetXformStack!\", \"xformOp:translateX\""));
    expectAt(scene(prim("Xform", ops("double3 xformOp:translate = (9, 9, 9)", "\"xformOp:translate\"") + reset)), {2, 2, 3});
}

TEST(Usda, AReflectionMirrorsSplatsToo) {
    const Gaussians g = randomSplats(5, 2);
    const std::string mirrored = ops("float3 xformOp:scale = (2, -2, 2)", "\"xformOp:scale\"");
    Gaussians expected = g;
    flipAxes(expected, {1, -1, 1});
    for (glm::vec3& mean : expected.means) mean *= 2.0f;
    for (glm::vec3& scale : expected.logScales) scale += std::log(2.0f);
    expectNear(read(scene(prim("Xform", mirrored + prim(kType, usdaAttributes(g))))), expected, kTurnedSteps);
}

TEST(Usda, TransformsThatSplatsCannotFollowAreNamed) {
    const std::string shear =
        ops("matrix4d xformOp:transform = ((1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))", "\"xformOp:transform\"");
    const std::string flat = ops("float3 xformOp:scale = (1, 0, 1)", "\"xformOp:scale\"");
    for (const std::string& transform : {shear, flat})
        expectRefused(scene(prim("Xform", transform + splatAt("(1, 2, 3)"))), {"prim /a/a", "shears"});
    const Gaussians stretched =
        read(scene(prim("Xform", ops("float3 xformOp:scale = (1, 2, 1)", "\"xformOp:scale\"") + splatAt("(1, 2, 3)"))));
    EXPECT_LT(glm::distance(stretched.means[0], glm::vec3(1, -4, -3)), 1e-5f);
    EXPECT_NEAR(stretched.logScales[0].x + stretched.logScales[0].y + stretched.logScales[0].z, std::log(2.0), 1e-6);
    expectRefused(scene(splatAt("(1, 2, 3)", ops("", "\"xformOp:wobble\""))),
                  {"a.usda:7", "xformOp:wobble", "expected an operation such as"});
    expectRefused(scene(splatAt("(1, 2, 3)", ops("", "\"xformOp:scale\""))), {"expected an operation that the prim has"});
    expectRefused(scene(splatAt("(1, 2, 3)", ops("float3 xformOp:scale = (1, 2)", "\"xformOp:scale\""))), {"'(1, 2)'", "3 finite numbers"});
    expectRefused(scene(splatAt("(1, 2, 3)", ops("double xformOp:translateX = inf", "\"xformOp:translateX\""))), {"1 finite numbers"});
}

TEST(Usda, TheAxisUpIsTheScenes) {
    EXPECT_EQ(read(scene(splatAt("(1, 2, 3)"))).means[0], glm::vec3(1, -2, -3));
    EXPECT_EQ(read(scene(splatAt("(1, 2, 3)"), "upAxis = 'Y'")).means[0], glm::vec3(1, -2, -3));
    EXPECT_LT(
        glm::distance(read(scene(splatAt("(1, 2, 3)"), "\"a note\" defaultPrim = \"a\"\nupAxis = \"Z\"")).means[0], glm::vec3(1, -3, 2)),
        1e-6f);
    expectRefused(scene(splatAt("(1, 2, 3)"), "upAxis = \"X\""), {"a.usda:2", "\"X\"", "expected \"Y\" or \"Z\""});
    for (const char* none : {"[]", "[\"Y\", \"Z\"]"})
        expectRefused(scene(splatAt("(1, 2, 3)"), fmt::format("upAxis = {}", none)), {"a.usda:2", "expected \"Y\" or \"Z\""});
}

TEST(Usda, FloatsArePreferredToHalves) {
    const std::string halves =
        "point3h[] positionsh = [(1, 2, 3)]\nquath[] orientationsh = [(0, 1, 0, 0)]\nhalf3[] scalesh = [(1, 2, 4)]\n"
        "half[] opacitiesh = [0.25]\nuniform int radiance:sphericalHarmonicsDegree = 0\n"
        "half3[] radiance:sphericalHarmonicsCoefficientsh = [(0.5, 1, 2)]\n";
    const Gaussians g = read(scene(prim(kType, halves)));
    ASSERT_EQ(g.count(), 1u);
    EXPECT_EQ(g.means[0], glm::vec3(1, -2, -3));
    EXPECT_EQ(g.rotations[0], glm::vec4(0, 1, 0, 0));
    EXPECT_LT(glm::distance(g.logScales[0], std::log(2.0f) * glm::vec3(0, 1, 2)), 1e-6f);
    EXPECT_NEAR(sigmoid(g.logitOpacities[0]), 0.25f, 1e-6);
    EXPECT_EQ(g.sh, (std::vector<glm::vec3>{{0.5f, 1, 2}}));
    EXPECT_EQ(read(scene(prim(kType, halves + "point3f[] positions = [(4, 5, 6)]\n"))).means[0], glm::vec3(4, -5, -6));
    EXPECT_EQ(read(scene(prim(kType, halves + "point3f[] positions = None\n"))).means[0], glm::vec3(1, -2, -3));
}

TEST(Usda, WhatIsMissingHasTheSchemasDefaults) {
    const Gaussians g = read(scene(splatAt("(1, 2, 3)", "quatf[] orientations = []\nfloat[] opacities\n")));
    EXPECT_EQ(g.rotations[0], glm::vec4(1, 0, 0, 0));
    EXPECT_EQ(g.logScales[0], glm::vec3(0));
    EXPECT_EQ(sigmoid(g.logitOpacities[0]), 1);
    EXPECT_TRUE(std::isfinite(g.logitOpacities[0]));
    EXPECT_EQ(g.shDegree, 0);
    EXPECT_EQ(g.sh[0], glm::vec3(0));
    EXPECT_EQ(read(scene(prim(kType, ""))).count(), 0u);
}

TEST(Usda, ArraysThatAreLongerAreCutOffAndShorterOnesNamed) {
    const std::string sh =
        "float3[] radiance:sphericalHarmonicsCoefficients = " + usdaList(40, [](size_t i) { return fmt::format("({0}, {0}, {0})", i); });
    const auto degree = [](int value) { return fmt::format("\nuniform int radiance:sphericalHarmonicsDegree = {}\n", value); };
    EXPECT_EQ(read(scene(splatAt("(1, 2, 3)", sh))).shDegree, 3) << "the schema's default";
    const Gaussians fourth = read(scene(splatAt("(1, 2, 3)", sh + degree(4))));
    EXPECT_EQ(fourth.shDegree, 3) << "coefficients of higher degrees are left out";
    EXPECT_EQ(glm::abs(fourth.sh[15]), glm::vec3(15));
    expectRefused(scene(splatAt("(1, 2, 3), (4, 5, 6)", sh + degree(4))),
                  {"radiance:sphericalHarmonicsCoefficients", "40 elements, expected 50"});
    expectRefused(scene(splatAt("(1, 2, 3), (4, 5, 6)", "float[] opacities = [1]")), {"opacities of prim a has 1 elements, expected 2"});
    for (const char* odd : {"-1", "1.5", "101", "many"})
        expectRefused(scene(splatAt("(1, 2, 3)", sh + "\nuniform int radiance:sphericalHarmonicsDegree = " + odd)), {odd});
}

TEST(Usda, OtherPrimsAndValuesArePassedOver) {
    const std::string others = R"(
def Mesh "mesh" (
    "a comment with { ( [ in it"
    doc = """long
        " text ) }"""
    prepend references = @./other.usda@</A/B> (offset = 1)
    payload = @@@it's@@@
    customData = { string a = "}" ; dictionary b = { int[] c = [1, 2] } }
    delete apiSchemas = ['x']
)
{
    # def Xform "no" {
    int[] faceVertexCounts = [3, 3] ( interpolation = "varying" )
    custom rel material:binding = </Materials/"]">
    prepend rel other
    float unset
    string escaped = "a \" quote }"
    asset file = @texture.png@
    float x.timeSamples = { 0: 1, 1.5: 2 }
    float y.connect = </A.b>
    reorder nameChildren = ["b", "a"]
    variantSet "look" = {
        "red" { def ParticleField3DGaussianSplat "variant" { point3f[] positions = [(7, 7, 7)] } }
    }
    class Xform "template" { def ParticleField3DGaussianSplat "no" { point3f[] positions = [(8, 8, 8)] } }
    over "someone" { over ParticleField3DGaussianSplat "no" { point3f[] positions = [(9, 9, 9)] } }
    def ParticleField3DGaussianSplat "off" (active = false) { point3f[] positions = [(6, 6, 6)] }
    def ParticleField "flat" { point3f[] positions = [(5, 5, 5)] }
}
)";
    expectAt(scene(others + splatAt("(1, 2, 3)") + "# the end"), {1, 2, 3});
    expectAt(scene(prim("ParticleField", "point3f[] positions = [(1, 2, 3)]",
                        "(prepend apiSchemas = [\"ParticleFieldPositionAttributeAPI\", \"ParticleFieldKernelGaussianEllipsoidAPI\"])")),
             {1, 2, 3});
}

TEST(Usda, ArraysMayHaveCommentsAndAnyBlanks) {
    expectAt(scene(splatAt("\n ( +1 ,\t2e0, # a note, with ) and ]\n 3.0 )\r\n , # and more\n")), {1, 2, 3});
    expectAt(scene(splatAt("(1, 2, 1e-60)")), {1, 2, 0});
}

TEST(Usda, FieldsAreMergedAtTheHighestDegree) {
    const Gaussians first = randomSplats(3, 1), second = randomSplats(2, 3);
    const Gaussians all = read(scene(prim(kType, usdaAttributes(first)) + prim("Scope", prim(kType, usdaAttributes(second)))));
    ASSERT_EQ(all.count(), 5u);
    ASSERT_EQ(all.shDegree, 3);
    EXPECT_EQ(all.means[2], first.means[2]);
    EXPECT_EQ(all.means[4], second.means[1]);
    EXPECT_EQ(all.sh[2 * 16 + 3], first.sh[2 * 4 + 3]);
    EXPECT_EQ(all.sh[2 * 16 + 4], glm::vec3(0));
    EXPECT_EQ(all.sh[4 * 16 + 15], second.sh[31]);
}

TEST(Usda, TheTimeIsTheFirst) {
    expectAt(scene(prim(kType, "point3f[] positions.timeSamples = {\n -1.5: [(1, 2, 3)],\n 2 : [(4, 5, 6)] }")), {1, 2, 3});
    EXPECT_EQ(read(scene(prim(kType, "point3f[] positions.timeSamples = { }"))).count(), 0u);
}

TEST(Usda, BinaryFilesAndArchivesAreNamed) {
    const Scratch scratch;
    const std::string zip = Bytes().put(uint32_t{0x04034b50}).content() + std::string(26, '\0') + "scene.usdc";
    for (const std::string& content : {std::string("PXR-USDC\0\7\0", 11), zip})
        expectInputError([&] { readSplats(scratch.write("model", content)); }, {"model", "binary OpenUSD", "usdcat"});
    expectRefused("#usda 2.0\n", {"expected the text format (#usda 1.0"});
}

TEST(Usda, FaultsAreNamedWithTheirLine) {
    expectRefused(scene(""), {"no prim of the type ParticleField3DGaussianSplat"});
    expectRefused(scene(prim("Mesh", "")), {"no prim of the type ParticleField3DGaussianSplat"});
    expectRefused(scene(splatAt("(1, 2, x)")), {"a.usda:5: found 'x)]'", "expected a number"});
    expectRefused(scene(splatAt("(1, 2)")), {"a.usda:5: found ')]'", "expected ','"});
    expectRefused(scene(splatAt("(1, 2, 3) (4, 5, 6)")), {"found '(4, 5, 6)]'", "expected ','"});
    expectRefused(scene(splatAt("(1, 2, 1e60)")), {"position of splat 0"});
    expectRefused(scene(splatAt("(1, 2, nan)")), {"position of splat 0"});
    expectRefused(scene(prim(kType, "point3f[] positions = 7")), {"a.usda:5: found '7'", "expected an array"});
    expectRefused(scene("def Mesh \"a\" {"), {"found the end", "expected a name"});
    expectRefused(scene("def Mesh \"a {"), {"a.usda:3", "expected an end of the text that starts here"});
    for (const char* cut : {"def Mesh \"a\\", "def Mesh \"a\\\"", "(references = @a\\", "def Mesh \"\"\"a\"\""})
        expectRefused(scene(cut), {"a.usda:3", "expected"});
    expectRefused(scene(prim(kType, "float[] a = [1, 2)")), {"found ')'", "expected ']'"});
    expectRefused(scene("float a = 1"), {"expected a prim"});
    std::string deep = "#usda 1.0\n";
    for (int i = 0; i < 100'000; ++i) deep += "def \"a\" {";
    expectRefused(deep, {"at most 128 prims in one another"});
    expectRefused("#usda 1.0\ndef A \"a\" { float a = " + std::string(200'000, '('), {"found the end", "')'"});
}

// Several slices of each array, of which the last one's fault is the only one.
TEST(Usda, LongArraysComeBackWhole) {
    const Scratch scratch;
    const Gaussians g = randomSplats(60'000, 1);
    writeSplats(scratch.path() / "a.usda", g);
    expectNear(readSplats(scratch.path() / "a.usda"), g, usdaSample(1, 0).steps);
    std::string text = readTextFile(scratch.path() / "a.usda");
    text.insert(text.rfind(')') - 1, "x");
    expectInputError([&] { readSplats(scratch.write("b.usda", text)); }, {"b.usda:16: found 'x", "expected"});
}

TEST(Usda, IsWrittenAsTheSchemaHasIt) {
    const Scratch scratch;
    Gaussians g;
    g.resize(1, 1);
    g.means[0] = {1, 2, -3};
    g.rotations[0] = {0, 0, 2, 0};
    g.sh = {{0.5f, 1, 2}, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    g.antialiased = true;
    writeSplats(scratch.path() / "a.usda", g);
    EXPECT_EQ(readTextFile(scratch.path() / "a.usda"), R"(#usda 1.0
(
    defaultPrim = "Splats"
    metersPerUnit = 1
    upAxis = "Y"
)

def ParticleField3DGaussianSplat "Splats"
{
    float3[] extent = [(-2,-5,0), (4,1,6)]
    custom bool splatwright:antialiased = 1
    uniform int radiance:sphericalHarmonicsDegree = 1
    point3f[] positions = [(1,-2,3)]
    quatf[] orientations = [(0,0,-1,-0)]
    float3[] scales = [(1,1,1)]
    float[] opacities = [0.5]
    float3[] radiance:sphericalHarmonicsCoefficients = [(0.5,1,2),(-1,-2,-3),(-4,-5,-6),(7,8,9)]
}
)");
}

}  // namespace
}  // namespace splat
