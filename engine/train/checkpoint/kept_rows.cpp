#include <splatwright/train/checkpoint/kept_rows.h>

#include <algorithm>

namespace splat {

namespace {

void keepRows(CheckpointSection& section, std::span<const uint8_t> kept) {
    const size_t planeBytes = kept.size() * section.stride;
    SPLAT_CHECK(section.bytes.size() % planeBytes == 0, "{}: {} bytes of {} gaussians", section.name, section.bytes.size(), kept.size());
    std::vector<std::byte> rows;
    rows.reserve(section.bytes.size());
    for (size_t row = 0; row < section.bytes.size() / section.stride; ++row) {
        if (kept[row % kept.size()] == 0) continue;
        const auto from = section.bytes.begin() + static_cast<std::ptrdiff_t>(row * section.stride);
        rows.insert(rows.end(), from, from + section.stride);
    }
    section.bytes = std::move(rows);
}

}  // namespace

void keepRows(Checkpoint& checkpoint, std::span<const std::string_view> sections, std::span<const uint8_t> kept) {
    SPLAT_CHECK(kept.size() == checkpoint.value<uint32_t>("gaussians"), "{} flags", kept.size());
    for (CheckpointSection& section : checkpoint.sections)
        if (std::ranges::find(sections, section.name) != sections.end()) keepRows(section, kept);
    checkpoint.header["gaussians"] = std::ranges::count_if(kept, [](uint8_t flag) { return flag != 0; });
}

}  // namespace splat
