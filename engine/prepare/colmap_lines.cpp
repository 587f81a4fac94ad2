#include <splatwright/prepare/colmap_lines.h>

#include <array>
#include <cctype>
#include <charconv>

namespace splat::prepare {

namespace {

/// What follows a label, without the blanks around it; nothing if the line does not have the label.
std::optional<std::string_view> after(std::string_view line, std::string_view label) {
    const size_t at = line.find(label);
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view text = line.substr(at + label.size());
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return text;
}

/// Takes the number at the text's start off it.
std::optional<uint64_t> takeNumber(std::string_view& text) {
    uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, std::string_view part) {
    if (!text.starts_with(part)) return false;
    text.remove_prefix(part.size());
    return true;
}

/// "3/20".
std::optional<Share> takeShare(std::string_view& text) {
    const auto done = takeNumber(text);
    if (!done || !take(text, "/")) return std::nullopt;
    const auto total = takeNumber(text);
    if (!total || *total == 0 || *done > *total) return std::nullopt;
    return Share{*done, *total};
}

}  // namespace

std::optional<Share> shareIn(std::string_view line) {
    // Versions from 3.9 on say "Processing" of pairs; earlier ones say "Matching".
    for (const std::string_view label :
         {"Processed file [", "Matching block [", "Matching image [", "Processing block [", "Processing image ["}) {
        auto rest = after(line, label);
        if (!rest) continue;
        const auto outer = takeShare(*rest);
        if (!outer) return std::nullopt;
        if (!take(*rest, ", ")) return outer;
        const auto inner = takeShare(*rest);
        if (!inner || outer->done == 0) return std::nullopt;
        return Share{(outer->done - 1) * inner->total + inner->done, outer->total * inner->total};
    }
    return std::nullopt;
}

std::optional<Registering> registeringIn(std::string_view line) {
    auto rest = after(line, "Registering image #");
    if (!rest) return std::nullopt;
    const auto image = takeNumber(*rest);
    if (!image || !take(*rest, " (")) return std::nullopt;
    take(*rest, "num_reg_frames=");
    const auto registered = takeNumber(*rest);
    if (!registered) return std::nullopt;
    return Registering{static_cast<uint32_t>(*image), *registered};
}

void ExtractedImages::add(std::string_view line) {
    if (const auto name = after(line, "Name: ")) {
        images_.push_back({std::string(*name), 0, {}});
    } else if (images_.empty()) {
        return;
    } else if (auto features = after(line, "Features: ")) {
        images_.back().features = takeNumber(*features).value_or(0);
    } else if (const auto problem = after(line, "ERROR: ")) {
        images_.back().problem = *problem;
    }
}

}  // namespace splat::prepare
