#include "commands/bench/suite_page.h"

#include <cstdint>

#include <fmt/format.h>

#include <splatwright/core/input_file.h>
#include "commands/bench/svg_elements.h"

namespace splat::app {

namespace {

constexpr const char* kStyle = R"(
body { font: 14px/1.45 sans-serif; color: #222; margin: 24px auto; max-width: 1240px; padding: 0 16px; }
h1 { font-size: 22px; } h2 { font-size: 17px; margin-top: 32px; }
table { border-collapse: collapse; margin: 0 0 20px; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: 4px 0; white-space: nowrap; }
th, td { padding: 3px 12px 3px 0; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.charts { display: flex; flex-wrap: wrap; gap: 12px; }
figure { margin: 0 0 20px; } figcaption { font-weight: bold; padding: 4px 0; }
img { max-width: 100%; }
)";

std::string rowOf(const std::vector<std::string>& cells, const char* element) {
    std::string html = "<tr>";
    for (const std::string& cell : cells) html += fmt::format("<{0}>{1}</{0}>", element, escapedMarkup(cell));
    return html + "</tr>\n";
}

std::string toHtml(const ReportTable& table) {
    std::string html = fmt::format("<table>\n<caption>{}</caption>\n", escapedMarkup(table.title));
    html += rowOf(table.header, "th");
    for (const auto& row : table.rows) html += rowOf(row, "td");
    return html + "</table>\n";
}

std::string toHtml(const ReportPicture& picture) {
    const auto bytes = readFile(picture.file);
    const std::string title = escapedMarkup(picture.title);
    return fmt::format("<figure>\n<figcaption>{0}</figcaption>\n<img alt=\"{0}\" src=\"data:image/png;base64,{1}\">\n</figure>\n", title,
                       base64(bytes));
}

/// A heading and what it is above; nothing where there is nothing.
std::string section(const std::string& heading, const std::string& content) {
    return content.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", escapedMarkup(heading), content);
}

std::string toHtml(const ChartSection& charts) {
    std::string svg;
    for (const std::string& chart : charts.charts) svg += chart;
    return section(charts.heading, svg.empty() ? "" : fmt::format("<div class=\"charts\">\n{}</div>\n", svg));
}

}  // namespace

std::string toHtml(const ReportPage& page) {
    const std::string title = escapedMarkup(page.title);
    std::string tables, pictures;
    for (const ReportTable& table : page.tables) tables += toHtml(table);
    for (const ReportPicture& picture : page.pictures) pictures += toHtml(picture);
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n"
        "</head>\n<body>\n<h1>{0}</h1>\n",
        title, kStyle);
    for (const std::string& fact : page.facts) html += fmt::format("<div>{}</div>\n", escapedMarkup(fact));
    html += section("Results", tables);
    for (const ChartSection& charts : page.charts) html += toHtml(charts);
    html += section("Worst views", pictures);
    return html + "</body>\n</html>\n";
}

std::string base64(std::span<const std::byte> bytes) {
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t count = std::min<size_t>(3, bytes.size() - i);
        uint32_t word = 0;
        for (size_t b = 0; b < 3; ++b) word = word << 8u | (b < count ? std::to_integer<uint32_t>(bytes[i + b]) : 0);
        for (size_t digit = 0; digit < 4; ++digit) text += digit <= count ? kDigits[word >> (18 - 6 * digit) & 63u] : '=';
    }
    return text;
}

}  // namespace splat::app
