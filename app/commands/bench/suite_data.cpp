#include "commands/bench/suite_data.h"

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>

namespace splat::app {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr const char* kOptionsFile = "synth.json";  // in the dataset's folder

json describe(const SynthOptions& options) {
    return {{"scene", options.scene},
            {"views", options.views},
            {"width", options.width},
            {"height", options.height},
            {"seed", options.seed},
            {"region_share", options.regionShare},
            {"transients", options.transients},
            {"colour_changes", options.colourChanges}};
}

/// Number and bytes of all files: data that was replaced is noticed without reading it.
json filesIn(const fs::path& data) {
    uint64_t files = 0, bytes = 0;
    const fs::path folder = fs::is_directory(data) ? data : data.parent_path();
    for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
        if (!entry.is_regular_file()) continue;
        ++files;
        bytes += entry.file_size();
    }
    return {{"files", files}, {"bytes", bytes}};
}

bool isMade(const SynthOptions& options, const fs::path& data) {
    try {
        return mayExist(data / kOptionsFile) && readJson(data / kOptionsFile) == describe(options);
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace

json describeSuiteData(const SuiteScene& scene, const fs::path& data) {
    json description{{"dataset", scene.reading.format}, {"images", escapedName(scene.reading.images.generic_string())}};
    if (scene.synth) {
        description["synth"] = describe(*scene.synth);
    } else {
        description["path"] = escapedName(data.generic_string());  // so that the text says the same once it is read again
        description["contents"] = filesIn(data);
    }
    return description;
}

void makeSuiteData(const SuiteScene& scene, const fs::path& data, const std::function<void(size_t, size_t)>& progress) {
    if (!scene.synth || isMade(*scene.synth, data)) return;
    if (mayExist(data / kOptionsFile)) fs::remove_all(data);  // any other folder is not ours: writing into it fails
    fs::create_directories(data.parent_path());
    writeSynthDataset(data, *scene.synth, progress);
    writeFileAtomically(data / kOptionsFile, jsonText(describe(*scene.synth), 2) + "\n");  // last: the dataset is whole
}

}  // namespace splat::app
