#include <splatwright/scene/datasets/named_uses.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/json_object.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/files/json_reader.h>

namespace splat {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Normalises a path, because nerfstudio compares paths without "./".
std::string pathKey(const fs::path& folder, std::string text) {
    std::ranges::replace(text, '\\', '/');
    return (fs::absolute(folder.empty() ? "." : folder) / text).lexically_normal().string();
}

/// Frames of a file by path; several frames may have the same path.
using FramesByPath = std::multimap<std::string, size_t>;

/// Whether each frame is on the list `property`; none if the file has no such list.
std::optional<std::vector<bool>> listed(const fs::path& path, const json& root, const char* property, const FramesByPath& frames) {
    const auto list = root.find(property);
    if (list == root.end()) return std::nullopt;
    if (!list->is_array()) throw InputError("{}: {} is {}, expected a list of file paths", path.string(), property, jsonExcerpt(*list));
    std::vector<bool> on(frames.size());
    for (const json& entry : *list) {
        if (!entry.is_string()) throw InputError("{}: {} contains {}, expected file paths", path.string(), property, jsonExcerpt(entry));
        const auto name = entry.get<std::string>();
        const auto [begin, end] = frames.equal_range(pathKey(path.parent_path(), name));
        if (begin == end) {
            throw InputError("{}: {} names '{}', expected the file_path of one of the {} frames", path.string(), property,
                             shortened(escapedName(name), 160), frames.size());
        }
        for (auto frame = begin; frame != end; ++frame) on[frame->second] = true;
    }
    return on;
}

}  // namespace

std::vector<ViewUse> namedUses(const fs::path& path, const json& root) {
    FramesByPath frames;
    const json& listedFrames = root.at("frames");
    for (size_t i = 0; i < listedFrames.size(); ++i) {
        // The path may be given once for all frames, at the top level, like every property of a frame.
        const JsonProperties frame(fmt::format("{}: frame {}", path.string(), i), listedFrames[i], root);
        frames.emplace(pathKey(path.parent_path(), frame.text("file_path").value_or("")), i);
    }
    const auto train = listed(path, root, "train_filenames", frames);
    const auto validation = listed(path, root, "val_filenames", frames);
    const auto test = listed(path, root, "test_filenames", frames);
    if (!train && !validation && !test) return {};
    const std::vector<bool> none(frames.size());
    const auto& tested = test ? *test : validation.value_or(none);
    std::vector<ViewUse> uses(frames.size());
    for (size_t i = 0; i < uses.size(); ++i) {
        const bool onOther = tested[i] || (validation && (*validation)[i]);
        uses[i] = {.train = train ? (*train)[i] : !onOther, .test = tested[i]};
    }
    return uses;
}

}  // namespace splat
