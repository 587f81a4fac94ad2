#include "scene/dataset.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/input_file.h"
#include "scene/datasets/datasets.h"
#include "scene/datasets/missing_poses.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

/// In order of preference: COLMAP knows points and distortion, so it wins where a folder has both.
constexpr std::array kDatasets{&kColmapDataset, &kTransformsDataset};

const DatasetFormat& formatOf(const fs::path& path) {
    if (!mayExist(path)) throw InputError("{}: no such dataset", path.string());
    std::string expected;
    for (const DatasetFormat* format : kDatasets) {
        if (format->recognises(path)) return *format;
        expected += fmt::format("\n  {}: {}", format->name, format->looksLike);
    }
    throw InputError("{}: no dataset found, expected one of{}{}", path.string(), expected, adviceOnMissingPoses(path));
}

template <class Values>
void permute(Values& values, const std::vector<size_t>& order) {
    Values sorted;
    sorted.reserve(order.size());
    for (const size_t i : order) sorted.push_back(std::move(values[i]));
    values = std::move(sorted);
}

void sortByName(Dataset& dataset) {
    std::vector<size_t> order(dataset.views.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) -> const std::string& { return dataset.views[i].name; });
    permute(dataset.views, order);
    if (!dataset.isTest.empty()) permute(dataset.isTest, order);
}

void checkNames(const Dataset& dataset) {
    const auto twice = std::ranges::adjacent_find(dataset.views, {}, &View::name);
    if (twice == dataset.views.end()) return;
    throw InputError("{}: image '{}' is listed twice, expected once", dataset.path.string(), twice->name);
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

Dataset loadDataset(const fs::path& path, const DatasetOptions& options) {
    const DatasetFormat& format = formatOf(path);
    Dataset dataset = format.load(path, options);
    dataset.path = path;
    dataset.format = format.name;
    if (dataset.views.empty()) throw InputError("{}: the dataset holds no views, expected at least 1", path.string());
    sortByName(dataset);
    checkNames(dataset);
    checkImages(dataset);
    return dataset;
}

std::vector<size_t> viewsOfSplit(const Dataset& dataset, Split split, int testEvery) {
    CHECK(testEvery >= 0, "{}", testEvery);
    const auto isTest = [&](size_t view) {
        if (testEvery == 0) return false;
        return dataset.isTest.empty() ? view % static_cast<size_t>(testEvery) == 0 : static_cast<bool>(dataset.isTest[view]);
    };
    std::vector<size_t> views;
    for (size_t view = 0; view < dataset.views.size(); ++view) {
        if (split == Split::all || isTest(view) == (split == Split::test)) views.push_back(view);
    }
    return views;
}

}  // namespace splat
