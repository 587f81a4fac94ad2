#pragma once

#include <splatwright/train/parts/step_part.h>

namespace splat {

/// A part that takes part, and where its row's terms are among the sums of the loss.
struct MadePart {
    const StepPartRow* row;
    uint32_t firstTerm;
    std::unique_ptr<StepPart> part;
    bool started = false;  ///< StepPart::recordStart()
};

/// The terms of all rows' losses, in the order of the table.
std::vector<LossTerm> stepPartTerms();

/// The parts of a training, in the order of the table.
class StepParts {
public:
    /// Makes no part yet. `firstTerm`: sum of the loss that is the first row's first term.
    StepParts(const StepPartInputs& inputs, uint32_t firstTerm) : inputs_(inputs), firstTerm_(firstTerm) {}

    /// Drops parts that the settings no longer want, and makes those that they want now; others stay as they are.
    void change();

    auto begin() { return parts_.begin(); }
    auto end() { return parts_.end(); }
    auto begin() const { return parts_.begin(); }
    auto end() const { return parts_.end(); }

private:
    MadePart take(const StepPartRow& row, uint32_t firstTerm);

    StepPartInputs inputs_;
    uint32_t firstTerm_;
    std::vector<MadePart> parts_;
};

}  // namespace splat
