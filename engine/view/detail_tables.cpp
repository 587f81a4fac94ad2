#include <splatwright/view/detail_tables.h>

#include <algorithm>

#include "kernels/choose_levels.h"
#include "kernels/mark_pages.h"

namespace splat {

namespace {

constexpr VkDeviceSize kWord = sizeof(uint32_t);
constexpr float kLeastError = 0.5f;  // pixels: nobody sees what is finer

}  // namespace

DetailTables::DetailTables(gpu::Device& device, const StreamedSog& scene, uint32_t pages, uint32_t budget)
    : nodes_(static_cast<uint32_t>(scene.nodes().size())),
      levels_(scene.levels()),
      pageCount_(pages),
      budget_(budget),
      parameters_(device.buffer<shared::DetailParameters>("detail parameters", 1)),
      boxes_(device.buffer<shared::DetailBox>("boxes of nodes", nodes_)),
      errors_(device.buffer<float>("errors of levels", size_t{nodes_} * levels_)),
      counts_(device.buffer<uint32_t>("splats of levels", size_t{nodes_} * levels_)),
      resident_(device.buffer<uint32_t>("resident levels", nodes_)),
      chosen_(device.buffer<uint32_t>("chosen levels", nodes_)),
      wanted_(device.buffer<uint32_t>("wanted levels", nodes_)),
      pages_(device.buffer<shared::DetailPage>("pages", pages)),
      readback_(device.buffer<uint32_t>("wanted levels on the host", size_t{kFrameSlots} * nodes_, gpu::Residence::readback)),
      wantedLevels_(nodes_, shared::kNoDetailLevel | shared::kDetailUnseen) {
    std::vector<shared::DetailBox> boxes;
    std::vector<float> errors;
    std::vector<uint32_t> counts;
    for (const DetailNode& node : scene.nodes()) {
        boxes.push_back({node.low, node.high, node.coreLow, node.coreHigh});
        errors.insert(errors.end(), node.errors.begin(), node.errors.end());
        for (const SplatRange& range : node.levels) counts.push_back(range.count);
    }
    device.upload(parameters_, std::vector{shared::DetailParameters{.budget = budget, .leastError = kLeastError}});
    device.upload(boxes_, boxes);
    device.upload(errors_, errors);
    device.upload(counts_, counts);
    device.run("clear details", [&](gpu::Commands& c) {
        c.fill(resident_, 0);
        c.fill(pages_, 0);
    });
    std::fill_n(readback_.mapped<uint32_t>(), size_t{kFrameSlots} * nodes_, wantedLevels_[0]);
}

void DetailTables::record(gpu::Commands& c, gpu::BufferSlice models, uint32_t model, gpu::BufferSlice marks, uint32_t first,
                          uint32_t slot) const {
    c.dispatchGroups(kernels::choose_levels{.models = models,
                                            .parameters = parameters_,
                                            .boxes = boxes_,
                                            .errors = errors_,
                                            .counts = counts_,
                                            .resident = resident_,
                                            .chosen = chosen_,
                                            .wanted = wanted_,
                                            .model = model,
                                            .nodes = nodes_,
                                            .levels = levels_},
                     1);
    c.dispatch(kernels::mark_pages{.pages = pages_, .chosen = chosen_, .marks = marks, .first = first, .pageCount = pageCount_},
               uint64_t{pageCount_} * shared::kDetailPage);
    c.copy(wanted_, readback_.slice(VkDeviceSize{slot} * nodes_ * kWord, nodes_ * kWord));
}

void DetailTables::collect(uint32_t slot) {
    std::copy_n(readback_.mapped<uint32_t>() + size_t{slot} * nodes_, nodes_, wantedLevels_.begin());
}

}  // namespace splat
