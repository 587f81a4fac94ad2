#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/scene/formats/sog/sog.h>

// meta.json and images of a SOG without an archive, whose checksums would hide them: parts of the input between marks.

namespace {

constexpr std::string_view kMark = "\n---\n";
// Images in the order of the parts.
constexpr std::array<std::string_view, 7> kNames{"means_l", "means_u", "quats", "scales", "sh0", "shN_centroids", "shN_labels"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::vector<std::span<const std::byte>> parts;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    for (bool more = true; more;) {
        const size_t end = rest.find(kMark);
        more = end != std::string_view::npos;
        parts.push_back(std::as_bytes(std::span(rest.substr(0, end))));
        if (more) rest.remove_prefix(end + kMark.size());
    }
    const splat::SogSource source{.path = "input", .read = [&](const std::string& name) {
                                      const auto at = static_cast<size_t>(std::ranges::find(kNames, name) - kNames.begin());
                                      if (at + 1 >= parts.size()) throw splat::InputError("no part for {}", name);
                                      return std::vector<std::byte>(parts[at + 1].begin(), parts[at + 1].end());
                                  }};
    try {
        splat::readSog(source, parts[0]);
    } catch (const splat::InputError&) {
    }
    return 0;
}
