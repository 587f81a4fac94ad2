#include <algorithm>
#include <cmath>
#include <vector>

#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/core/read_number.h>
#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(SplatOperation, kOperations, kTranslateOperation, kRotateOperation, kScaleOperation, kFrameOperation, kFiniteOperation,
            kBoxOperation, kSphereOperation, kMinOpacityOperation, kMaxSizeOperation, kIsolatedOperation, kShDegreeOperation,
            kMortonOperation, kDecimateOperation, kGridOperation, kSeenOperation);

namespace {

/// Empty if the text is not as many numbers as the row names, or one is out of range.
std::vector<double> numbersOf(const SplatOperation& row, std::string_view text) {
    const std::string_view names = row.value;
    std::vector<double> numbers(static_cast<size_t>(std::ranges::count(names, ',')) + 1);
    const auto good = [&](double number) {
        return number >= row.min && number <= row.max && (names != "N" || number == std::floor(number));
    };
    if (!readNumbers(text, std::span(numbers)) || !std::ranges::all_of(numbers, good)) return {};
    return numbers;
}

}  // namespace

std::span<const SplatOperation* const> splatOperations() { return kOperations; }

Change changeOf(const SplatOperation& row, std::string_view value, std::string_view where, std::optional<float> number) {
    try {
        if (row.ofText) return row.ofText(value);
        if (row.ofTextAndNumber) return row.ofTextAndNumber(value, number.value_or(row.number.initial));
        const std::vector<double> numbers = row.value ? numbersOf(row, value) : std::vector<double>();
        if (row.value && numbers.empty()) throw InputError("expected {}, {:g} to {:g}", row.value, row.min, row.max);
        return row.ofNumbers(numbers);
    } catch (const InputError& problem) {
        throw InputError("{}: found '{}', {}", where, value, problem.what());
    }
}

}  // namespace splat
