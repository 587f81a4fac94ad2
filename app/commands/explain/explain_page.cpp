#include "commands/explain/explain_page.h"

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/temporary_folder.h>
#include <splatwright/explain/explanation_json.h>
#include <splatwright/scene/files/base64.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/evaluate/metrics.h>

namespace splat::app {

namespace {

/// Puts a text where the page has a mark.
void fill(std::string& page, std::string_view mark, const std::string& text) {
    const size_t at = page.find(mark);
    SPLAT_CHECK(at != std::string::npos, "the page has no mark {}", mark);
    page.replace(at, mark.size(), text);
}

/// As the address of an <image>.
std::string jpegOf(const Image8& image) {
    const TemporaryFolder folder("splatwright-explain");
    const std::filesystem::path path = folder.path() / "picture.jpg";
    writeJpeg(path, image, {});
    return "data:image/jpeg;base64," + base64Of(readFile(path));
}

/// JSON within a <script>, which a file's name could close.
std::string withinScript(std::string text) {
    for (size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
    return text;
}

}  // namespace

std::string explainPageOf(const explain::Explanation& explanation) {
    std::string page(explainPage());
    fill(page, "/* data */", withinScript(jsonText(explain::toJson(explanation))));
    fill(page, "/* picture */", jpegOf(quantised(explanation.picture)));
    return page;
}

}  // namespace splat::app
