#pragma once

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/prepare/prepare.h>
#include "../scene/scratch.h"
#include "made_model.h"

namespace splat::prepare::test {

/// A program that answers as COLMAP 3.8 does, finds the poses that the test says, and takes no time.
struct FakeColmap {
    explicit FakeColmap(const std::filesystem::path& scratch) : folder(scratch / "fake") {
        std::filesystem::create_directories(folder);
        std::ofstream(program()) << "#!/bin/bash\nhere='" << folder.string() << "'\n" << kScript;
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }
    std::filesystem::path program() const { return folder / "colmap"; }

    /// The mapper registers these images, which are 64x48 pixels.
    void finds(const std::vector<std::string>& names) const {
        Model model = madeModel(names.size(), 20, 2);
        for (size_t i = 0; i < names.size(); ++i) model.images[i].name = names[i];
        writeModel(folder / "model", model);
    }
    void findsNothing() const { std::filesystem::remove_all(folder / "model"); }
    /// A part of a shell script that a command runs first.
    void before(const std::string& command, const std::string& script) const { std::ofstream(folder / (command + ".sh")) << script; }
    /// The command lines so far, one per line, without those that ask for help.
    std::string calls() const { return mayExist(folder / "calls") ? readTextFile(folder / "calls") : ""; }
    size_t countOf(const std::string& command) const {
        size_t count = 0;
        std::istringstream lines(calls());
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with(command + " ")) ++count;
        }
        return count;
    }

    std::filesystem::path folder;

private:
    static constexpr const char* kScript = R"script(
if [[ $1 == help ]]; then
    echo "COLMAP 3.8 -- Structure-from-Motion and Multi-View Stereo (without CUDA)"
    echo "feature_extractor exhaustive_matcher sequential_matcher matches_importer mapper point_triangulator"
    exit
fi
if [[ $2 == -h ]]; then
    for name in database_path image_path image_list_path input_path output_path clear_points match_list_path match_type \
        ImageReader.{single_camera,camera_model,camera_params,mask_path} SiftExtraction.{use_gpu,peak_threshold,edge_threshold} \
        SiftMatching.{use_gpu,guided_matching} ExhaustiveMatching.block_size SequentialMatching.overlap \
        Mapper.{min_model_size,snapshot_path,snapshot_images_freq,filter_max_reproj_error,tri_complete_max_reproj_error,tri_merge_max_reproj_error}
    do echo "  --$name arg"; done
    exit
fi
echo "$*" >> "$here/calls"
[[ -f $here/$1.sh ]] && source "$here/$1.sh"
value() { local next=; for word in "${all[@]}"; do [[ $next ]] && echo "$word" && return; [[ $word == --$1 ]] && next=1; done; }
all=("$@")
case $1 in
feature_extractor)
    count=0
    while read -r name; do
        count=$((count + 1))
        echo "Processed file [$count/$(wc -l < "$(value image_list_path)")]"
        echo "  Name:            $name"
        echo "  Features:        100"
    done < "$(value image_list_path)";;
matches_importer) cp "$(value match_list_path)" "$here/pairs";;
mapper)
    [[ -d $here/model ]] || { echo "failed to create sparse model"; exit 0; }
    cp -r "$here/model" "$(value output_path)/0";;
point_triangulator) cp "$here/triangulated/"* "$(value output_path)/";;
esac
)script";
};

inline void expectParts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in:\n" << text;
}

/// Notes and stages of a preparation.
struct Watched : Observer {
    void onStage(std::string_view name, uint64_t total) override {
        stages.emplace_back(name);
        totals.push_back(total);
    }
    void onProgress(uint64_t done) override { progress.emplace_back(stages.back(), done); }
    void onNote(std::string_view text) override { notes += std::string(text) + '\n'; }
    void check() override {
        if (stops && stops()) throw Stop();
    }
    struct Stop {};

    std::vector<std::string> stages;
    std::vector<uint64_t> totals;
    std::vector<std::pair<std::string, uint64_t>> progress;
    std::string notes;
    std::function<bool()> stops;
};

/// Photographs, a fake COLMAP and a dataset's folder.
struct Preparing : testing::Test {
    /// Grey pictures, whose contents differ between inputs.
    std::filesystem::path photographs(const std::string& folder, const std::vector<std::string>& names, uint8_t grey) const {
        for (size_t i = 0; i < names.size(); ++i) write(scratch.path() / folder / names[i], static_cast<uint8_t>(grey + i));
        return scratch.path() / folder;
    }
    static void write(const std::filesystem::path& file, uint8_t grey) {
        std::filesystem::create_directories(file.parent_path());
        Image8 image(64, 48, 3);
        std::ranges::fill(image.pixels, grey);
        writePng(file, image);
    }
    Report prepare(const std::filesystem::path& input, bool force = false) {
        Settings settings{.input = input, .out = out, .colmap = colmap.program(), .force = force};
        if (change) change(settings);
        return prepareDataset(settings, watched);
    }
    static int greyOf(const std::filesystem::path& file) { return readImage(file).pixels.at(0); }
    /// Names and contents' hashes of all files below a folder, but for a preparation's own folder and log.
    static std::map<std::string, std::string> contentsOf(const std::filesystem::path& folder) {
        std::map<std::string, std::string> contents;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const std::string name = entry.path().string();
            const bool isWork = name.find(".prepare/") != std::string::npos || name.ends_with("prepare.log");
            if (entry.is_regular_file() && !isWork) contents[name] = hashOf(readTextFile(entry.path()));
        }
        return contents;
    }

    Scratch scratch;
    FakeColmap colmap{scratch.path()};
    std::filesystem::path out = scratch.path() / "ds";
    std::function<void(Settings&)> change;
    Watched watched;
};

}  // namespace splat::prepare::test
