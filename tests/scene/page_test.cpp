// Pages that browsers open: what they contain, and what of them is read again. tests/peers/page.mjs opens one in a browser.
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/files/base64.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/page/page_viewer.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/extent.h>
#include "format_samples.h"

namespace splat {
namespace {

using namespace test;

const std::string kScript = "<script type=\"application/json\" id=\"sse-bootstrap\">";

/// The text after one part of a page and before the next.
std::string between(const std::string& page, const std::string& begin, const std::string& end) {
    const size_t from = page.find(begin) + begin.size();
    return page.substr(from, page.find(end, from) - from);
}

size_t occurrences(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

class WrittenPage : public testing::Test {
protected:
    void SetUp() override {
        if (pageViewer().empty()) GTEST_SKIP() << "built without the viewer of pages: ./bootstrap.sh deps downloads it";
    }

    /// A page of 50 splats.
    std::string page(const std::string& name = "a.html") const {
        writeSplats(scratch.path() / name, gaussians);
        return readTextFile(scratch.path() / name);
    }
    nlohmann::json scene() const { return nlohmann::json::parse(between(page(), kScript, "</script>")); }

    const Scratch scratch;
    const Gaussians gaussians = sogSample(50, 2, 1).expected;
};

TEST_F(WrittenPage, ContainsTheSameSogAsAFile) {
    const std::string url = scene().at("contentUrl"), start = "data:application/octet-stream;base64,";
    ASSERT_EQ(url.substr(0, start.size()), start);
    writeSplats(scratch.path() / "a.sog", gaussians);
    EXPECT_EQ(bytesOfBase64(url.substr(start.size())), readFile(scratch.path() / "a.sog"));
    EXPECT_EQ(scene().at("contentFilename"), "scene.sog");
}

TEST_F(WrittenPage, LoadsNothingFromElsewhere) {
    const std::string text = page();
    const std::string policy = between(text, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << policy;
    EXPECT_EQ(policy.find("http"), std::string::npos) << policy;
    const std::string head = text.substr(0, text.find("<body>"));
    for (const char* reference : {"<link", "src=", "@import", "url(http"}) EXPECT_EQ(occurrences(head, reference), 0u) << reference;
    EXPECT_EQ(occurrences(text, "<script"), 3u) << "the scene, its start, and the viewer";
    EXPECT_EQ(occurrences(text, "</script"), 3u);
}

TEST_F(WrittenPage, ContainsTheViewersLicence) {
    const std::string note = between(page(), "<!--", "-->");
    for (const char* part : {"PlayCanvas", "MIT License", "Copyright", "WITHOUT WARRANTY OF ANY KIND"})
        EXPECT_NE(note.find(part), std::string::npos) << part;
}

TEST_F(WrittenPage, IsNamedLikeItsFileWhateverTheName) {
    EXPECT_EQ(between(page("<b>&\"x'.html"), "<title>", "</title>"), "&#60;b&#62;&#38;\"x'");
    EXPECT_EQ(between(page("@bootstrap@.html"), "<title>", "</title>"), "@bootstrap@");
    EXPECT_EQ(readSplats(scratch.path() / "@bootstrap@.html").count(), 50u);
}

TEST_F(WrittenPage, BeginsWithMostOfTheSplatsInFrontOfTheCamera) {
    const nlohmann::json settings = scene().at("settings");
    const nlohmann::json camera = settings.at("cameras").at(0).at("initial");
    const auto vector = [](const nlohmann::json& v) { return glm::dvec3(v.at(0), v.at(1), v.at(2)); };
    // The viewer turns splats by half a turn about z: what is down in their frame is down in its world.
    const Extent extent = extentOf(gaussians);
    const glm::dvec3 centre = extent.centre * glm::dvec3(-1, -1, 1);
    EXPECT_LT(glm::length(vector(camera.at("target")) - centre), 1e-6);
    const glm::dvec3 from = vector(camera.at("position")) - centre;
    EXPECT_GT(from.y, 0) << "from above";
    EXPECT_GT(std::tan(glm::radians(camera.at("fov").get<double>()) / 2) * glm::length(from), 2 * extent.radius);
    EXPECT_EQ(settings.at("tonemapping"), "none");
}

TEST(Page, ScenesThatAreNotInThePageAreRefused) {
    const Scratch scratch;
    const auto refused = [&](const std::string& scene, const std::vector<std::string>& parts) {
        expectInputError([&] { readSplats(scratch.write("a.html", "<!doctype html>" + kScript + scene + "</script>")); }, parts);
    };
    refused("null", {"a.html", "contentUrl is missing", "in the page itself"});
    refused("{\"contentUrl\": 3}", {"a.html", "contentUrl is missing"});
    refused("{\"contentUrl\": \"./scene.sog\"}", {"a.html", "contentUrl is './scene.sog'"});
    refused("{\"contentUrl\": \"data:application/octet-stream;base64,?\"}", {"a.html", "not in base64"});
    refused("{\"contentUrl\": \"data:application/octet-stream;base64,AAAA\"}", {"a.html", "archive"});
    expectInputError([&] { readSplats(scratch.write("a.html", "<!doctype html><p>Hello</p>")); },
                     {"a.html", "found no scene", "PlayCanvas"});
}

TEST(Page, Base64IsWrittenAsItIsRead) {
    std::vector<std::byte> bytes;
    for (int i = 0; i < 260; ++i) {
        const std::string text = base64Of(bytes);
        EXPECT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
        EXPECT_EQ(bytesOfBase64(text), bytes);
        bytes.push_back(static_cast<std::byte>(i * 37));
    }
    EXPECT_EQ(base64Of(std::as_bytes(std::span(std::string_view("foob")))), "Zm9vYg==");
}

}  // namespace
}  // namespace splat
