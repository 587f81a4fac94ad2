#include <splatwright/scene/datasets/dataset.h>

#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/core/table.h>
#include <splatwright/scene/datasets/datasets.h>
#include <splatwright/scene/datasets/missing_poses.h>
#include <splatwright/scene/datasets/panorama.h>
#include <splatwright/scene/datasets/picture.h>

namespace splat {

// In order of preference: COLMAP has points and distortion, so it is preferred if a folder has both.
SPLAT_TABLE(DatasetFormat, kDatasets, kColmapDataset, kTransformsDataset);

namespace {

namespace fs = std::filesystem;

/// The descriptions that a folder has, in order of preference; those of one format if a name is given.
std::vector<const DatasetFormat*> formatsOf(const fs::path& path, std::string_view wanted) {
    checkDatasetFormat(wanted);
    requireExisting(path, "no such dataset");
    std::vector<const DatasetFormat*> found;
    std::string expected;
    for (const DatasetFormat* format : kDatasets) {
        if (format->recognises(path)) found.push_back(format);
        if (wanted.empty() || wanted == format->name) expected += fmt::format("\n  {}: {}", format->name, format->looksLike);
    }
    const auto chosen = std::ranges::find_if(found, [&](const DatasetFormat* f) { return wanted.empty() || wanted == f->name; });
    if (chosen == found.end()) {
        throw InputError("{}: no dataset found, expected{}{}{}", path.string(), wanted.empty() ? " one of" : "", expected,
                         adviceOnMissingPoses(path));
    }
    std::rotate(found.begin(), chosen, chosen + 1);
    return found;
}

}  // namespace

bool isDataset(const std::filesystem::path& path) {
    return std::ranges::any_of(kDatasets, [&](const DatasetFormat* format) { return format->recognises(path); });
}

namespace {

template <class Values>
void permute(Values& values, const std::vector<size_t>& order) {
    Values sorted;
    sorted.reserve(order.size());
    for (const size_t i : order) sorted.push_back(std::move(values[i]));
    values = std::move(sorted);
}

void checkImages(const Dataset& dataset) {
    const View* first = nullptr;
    size_t bad = 0;
    for (const View& view : dataset.views) {
        if (whyNotReadable(view.image).empty()) continue;
        if (!first) first = &view;
        ++bad;
    }
    if (!first) return;
    const fs::path& image = first->image;
    throw InputError("{}: image {} ({} of the {} images that {} lists are missing or unreadable)", image.string(),
                     mayExist(image) ? "cannot be read: " + whyNotReadable(image) : "is missing", bad, dataset.views.size(),
                     dataset.path.string());
}

}  // namespace

Dataset listDataset(const fs::path& path, const DatasetOptions& options) {
    const auto formats = formatsOf(path, options.format);
    Dataset dataset = formats.front()->load(path, options);
    dataset.path = path;
    dataset.format = formats.front()->name;
    for (const DatasetFormat* other : std::span(formats).subspan(1)) dataset.otherFormats.emplace_back(other->name);
    if (dataset.views.empty()) throw InputError("{}: the dataset holds no views, expected at least 1", path.string());
    for (View& view : dataset.views) view.name = escapedName(view.file);
    std::vector<size_t> order(dataset.views.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) -> const std::string& { return dataset.views[i].file; });
    permute(dataset.views, order);
    if (!dataset.ownUses.empty()) permute(dataset.ownUses, order);
    const auto twice = std::ranges::adjacent_find(dataset.views, {}, &View::file);
    if (twice != dataset.views.end()) throw InputError("{}: image '{}' is listed twice, expected once", path.string(), twice->name);
    return dataset;
}

Dataset loadDataset(const fs::path& path, const DatasetOptions& options) {
    if (options.format == kPictureFormat) return pictureDataset(path);
    Dataset dataset = listDataset(path, options);
    checkImages(dataset);
    divideIntoFaces(dataset);
    dataset.undistort = options.undistort;
    return dataset;
}

std::vector<size_t> viewsOfSplit(const Dataset& dataset, Split split, int testEvery) {
    SPLAT_CHECK(testEvery >= 0, "{}", testEvery);
    size_t photographs = 0;
    const auto useOf = [&](size_t view) {
        if (testEvery == 0) return kTrainUse;
        if (!dataset.ownUses.empty()) return dataset.ownUses[view];
        return (photographs - 1) % static_cast<size_t>(testEvery) == 0 ? kTestUse : kTrainUse;
    };
    std::vector<size_t> views;
    for (size_t view = 0; view < dataset.views.size(); ++view) {
        if (dataset.views[view].distortion.face == CubeFace::front) ++photographs;  // the other faces are of the same photograph
        const ViewUse use = useOf(view);
        if (split == Split::all || (split == Split::test ? use.test : use.train)) views.push_back(view);
    }
    return views;
}

std::string datasetFormatNames() {
    std::vector<const char*> names;
    for (const DatasetFormat* format : kDatasets) names.push_back(format->name);
    return fmt::format("{}", fmt::join(names, " or "));
}

void checkDatasetFormat(std::string_view name) {
    const bool known = std::ranges::any_of(kDatasets, [&](const DatasetFormat* format) { return name == format->name; });
    if (!name.empty() && !known) throw InputError("`format`: found '{}', expected {}", name, datasetFormatNames());
}

void tellChoices(const Dataset& dataset, int testEvery) {
    const std::string path = dataset.path.string();
    if (!dataset.otherFormats.empty()) {
        spdlog::info("{}: has a {} dataset and a {} dataset, the first is used (`format` chooses)", path, dataset.format,
                     fmt::join(dataset.otherFormats, " dataset and a "));
    }
    if (dataset.ownUses.empty() || testEvery == 0 || dataset.format == kPictureFormat) return;
    const auto count = [&](auto counts) { return std::ranges::count_if(dataset.ownUses, counts); };
    spdlog::info(
        "{}: names its own split: {} views for training, {} for testing, {} unused; `test_every` does not apply (but 0 trains on all)",
        path, count([](ViewUse use) { return use.train; }), count([](ViewUse use) { return use.test; }),
        count([](ViewUse use) { return !use.train && !use.test; }));
}

}  // namespace splat
