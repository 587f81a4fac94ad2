#include <splatwright/train/parts/step_parts.h>

#include <algorithm>
#include <utility>

namespace splat {

std::vector<LossTerm> stepPartTerms() {
    std::vector<LossTerm> all;
    for (const StepPartRow* row : stepPartTable()) all.insert(all.end(), row->terms.begin(), row->terms.end());
    return all;
}

void StepParts::change() {
    for (const MadePart& made : parts_) {
        if (!made.row->wanted(inputs_.settings())) made.part->end();
    }
    std::vector<MadePart> wanted;
    uint32_t firstTerm = firstTerm_;
    for (const StepPartRow* row : stepPartTable()) {
        if (row->wanted(inputs_.settings())) wanted.push_back(take(*row, firstTerm));
        firstTerm += static_cast<uint32_t>(row->terms.size());
    }
    parts_ = std::move(wanted);
}

/// The part that there is, or a new one.
MadePart StepParts::take(const StepPartRow& row, uint32_t firstTerm) {
    const auto found = std::ranges::find(parts_, &row, &MadePart::row);
    if (found != parts_.end()) return std::move(*found);
    inputs_.number = placeOfNumber(row);
    return {&row, firstTerm, row.make(inputs_)};
}

}  // namespace splat
