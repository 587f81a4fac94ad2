#include <splatwright/scene/images/cr3_boxes.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <splatwright/scene/images/box_header.h>
#include <splatwright/scene/images/codec.h>

namespace splat {
namespace {

using namespace std::string_view_literals;

constexpr std::array kContainers{"dinf"sv, "edts"sv, "fiin"sv, "ipro"sv, "iprp"sv, "mdia"sv, "meco"sv, "mere"sv, "mfra"sv,
                                 "minf"sv, "moof"sv, "moov"sv, "mvex"sv, "paen"sv, "schi"sv, "sinf"sv, "skip"sv, "stbl"sv,
                                 "stsd"sv, "strk"sv, "tapt"sv, "traf"sv, "trak"sv, "CCTP"sv, "CRAW"sv};

/// Bytes before the first box in a box of this path (its and its parents' types); nothing: it has none.
std::optional<uint64_t> bytesBeforeBoxes(const std::string& path, std::span<const std::byte> content) {
    if (path == "moovuuid")
        return startsWith(content, "\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48") ? 16 : std::optional<uint64_t>();
    if (path == "moovuuidCCTP") return 12;
    if (path == "moovtrakmdiaminfstblstsdCRAW") return 82;
    if (path == "moovtrakmdiaminfstblstsd")
        return content.size() >= 16 && startsWith(content.subspan(12), "CRAW") ? 8 : std::optional<uint64_t>();
    return std::ranges::find(kContainers, path.substr(path.size() - 4)) != kContainers.end() ? 0 : std::optional<uint64_t>();
}

bool areSound(std::span<const std::byte> list, const std::string& parents) {
    constexpr size_t kDeepest = size_t{32} * 4;
    for (uint64_t at = 0; at + 8 <= list.size();) {
        const BoxHeader box = boxHeaderAt(list, at);
        if (box.size < box.bytes || box.size > list.size() - at || parents.size() > kDeepest) return false;
        const auto* type = reinterpret_cast<const char*>(list.data() + at + 4);
        const std::string path = parents + std::string(type, 4);
        const auto content = list.subspan(at + box.bytes, box.size - box.bytes);
        const auto before = bytesBeforeBoxes(path, content);
        if (before && (*before > content.size() || !areSound(content.subspan(*before), path))) return false;
        at += box.size;
    }
    return true;
}

}  // namespace

bool cr3BoxesAreSound(std::span<const std::byte> file) { return areSound(file, {}); }

}  // namespace splat
