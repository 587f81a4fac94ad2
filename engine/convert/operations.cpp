#include <algorithm>

#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/core/read_number.h>
#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(SplatOperation, kOperations, kTranslateOperation, kRotateOperation, kScaleOperation, kFrameOperation, kFiniteOperation,
            kBoxOperation, kSphereOperation, kMinOpacityOperation, kMaxSizeOperation, kIsolatedOperation, kShDegreeOperation,
            kMortonOperation);

namespace {

/// Empty if the text is not as many numbers as the row names, or one is out of range.
std::vector<double> numbersOf(const SplatOperation& row, std::string_view text) {
    const bool whole = row.value == std::string_view("N");
    std::vector<double> numbers;
    for (size_t begin = 0, comma = 0; comma != std::string_view::npos; begin = comma + 1) {
        comma = text.find(',', begin);
        double number = 0;
        const bool read = readNumber(text.substr(begin, comma == std::string_view::npos ? comma : comma - begin), number);
        if (!read || !(number >= row.min && number <= row.max) || (whole && number != std::floor(number))) return {};
        numbers.push_back(number);
    }
    const auto wanted = std::ranges::count(std::string_view(row.value), ',') + 1;
    return numbers.size() == static_cast<size_t>(wanted) ? numbers : std::vector<double>();
}

}  // namespace

std::span<const SplatOperation* const> splatOperations() { return kOperations; }

Change changeOf(const SplatOperation& row, std::string_view value, std::string_view where) {
    try {
        if (row.ofText) return row.ofText(value);
        const std::vector<double> numbers = row.value ? numbersOf(row, value) : std::vector<double>();
        if (row.value && numbers.empty()) throw InputError("expected {}, {:g} to {:g}", row.value, row.min, row.max);
        return row.ofNumbers(numbers);
    } catch (const InputError& problem) {
        throw InputError("{}: found '{}', {}", where, value, problem.what());
    }
}

}  // namespace splat
