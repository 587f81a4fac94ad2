#include <splatwright/train/loss/loss.h>

#include <algorithm>

#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(LossRow, kLosses, kPhotometricLoss, kRegularisers, kGridVariation, kDepthLoss);

std::span<const LossRow* const> lossTable() { return kLosses; }

double totalLoss(std::span<const LossShare> shares) {
    double total = 0;
    for (const LossShare& share : shares) total += share.weight * share.value;
    return total;
}

namespace {

uint32_t termsOf(std::span<const LossRow* const> rows) {
    size_t terms = 0;
    for (const LossRow* row : rows) terms += row->terms.size();
    return static_cast<uint32_t>(terms);
}

bool hasWeight(const LossRow& row, const TrainSettings& settings) {
    const uint32_t last = settings.steps - 1;  // weights change in one direction
    return std::ranges::any_of(row.terms,
                               [&](const LossTerm& term) { return term.weight(settings, 0) != 0 || term.weight(settings, last) != 0; });
}

}  // namespace

Loss::Loss(gpu::Device& device, std::span<const LossRow* const> rows)
    : rows_(rows), terms_(termsOf(rows)), sums_(device.buffer<float>("loss sums", terms_)) {
    for (const LossRow* row : rows) recorders_.push_back(row->make(device));
    device.run("clear loss sums", [&](gpu::Commands& c) { c.fill(sums_, 0); });
}

void Loss::record(gpu::Commands& c, const LossJob& job) const {
    uint32_t first = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
        if (hasWeight(*rows_[i], job.settings)) recorders_[i](c, job, sums_, first);
        first += static_cast<uint32_t>(rows_[i]->terms.size());
    }
}

std::vector<LossShare> Loss::shares(std::span<const float> sums, const LossSizes& sizes, const TrainSettings& settings,
                                    uint32_t step) const {
    std::vector<LossShare> shares;
    size_t index = 0;
    for (const LossRow* row : rows_) {
        for (const LossTerm& term : row->terms) {
            const double sum = static_cast<double>(sums[index++]);
            if (const double weight = term.weight(settings, step); weight != 0)
                shares.push_back({term.name, weight, term.value(sum, sizes)});
        }
    }
    return shares;
}

}  // namespace splat
