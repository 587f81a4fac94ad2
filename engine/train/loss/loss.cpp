#include <splatwright/train/loss/loss.h>

#include <algorithm>

#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(LossRow, kLosses, kPhotometricLoss, kRegularisers);

std::span<const LossRow* const> lossTable() { return kLosses; }

double totalLoss(std::span<const LossShare> shares) {
    double total = 0;
    for (const LossShare& share : shares) total += share.weight * share.value;
    return total;
}

bool haveWeight(std::span<const LossTerm> terms, const TrainSettings& settings) {
    const uint32_t last = settings.steps - 1;  // weights change in one direction
    return std::ranges::any_of(terms,
                               [&](const LossTerm& term) { return term.weight(settings, 0) != 0 || term.weight(settings, last) != 0; });
}

Loss::Loss(gpu::Device& device, std::span<const LossRow* const> rows, std::span<const LossTerm> further) : rows_(rows) {
    for (const LossRow* row : rows) terms_.insert(terms_.end(), row->terms.begin(), row->terms.end());
    firstFurther_ = static_cast<uint32_t>(terms_.size());
    terms_.insert(terms_.end(), further.begin(), further.end());
    sums_ = device.buffer<float>("loss sums", terms_.size());
    for (const LossRow* row : rows) recorders_.push_back(row->make(device));
    device.run("clear loss sums", [&](gpu::Commands& c) { c.fill(sums_, 0); });
}

void Loss::record(gpu::Commands& c, const LossJob& job) const {
    uint32_t first = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
        if (haveWeight(rows_[i]->terms, job.settings)) recorders_[i](c, job, sums_, first);
        first += static_cast<uint32_t>(rows_[i]->terms.size());
    }
}

std::vector<LossShare> Loss::shares(std::span<const float> sums, const LossSizes& sizes, const TrainSettings& settings,
                                    uint32_t step) const {
    std::vector<LossShare> shares;
    for (size_t i = 0; i < terms_.size(); ++i) {
        if (const double weight = terms_[i].weight(settings, step); weight != 0)
            shares.push_back({terms_[i].name, weight, terms_[i].value(static_cast<double>(sums[i]), sizes)});
    }
    return shares;
}

}  // namespace splat
