#include <splatwright/scene/formats/usd/usda_numbers.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include <splatwright/core/memory.h>
#include <splatwright/core/threads.h>

namespace splat {
namespace {

constexpr size_t kSliceBytes = size_t{1} << 20u;  // per thread and step

bool isBlank(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/// Reads numbers and the marks between them; where the text is something else, `problem` becomes what was expected there.
struct Scanner {
    const char *at, *end;
    const char* problem = nullptr;

    void passBlanks() {
        for (; at != end && (isBlank(*at) || *at == '#'); ++at)
            if (*at == '#') at = std::find(at, end - 1, '\n');
    }
    bool take(char c) {
        passBlanks();
        const bool found = at != end && *at == c;
        if (found) ++at;
        return found;
    }
    void expect(char c, const char* what) {
        if (!problem && !take(c)) problem = what;
    }
    /// 0 for floats that are too small.
    template <class T>
    T number() {
        take('+');
        T value{};
        auto [behind, error] = std::from_chars(at, end, value);
        if (error == std::errc::result_out_of_range && sizeof(T) < sizeof(double)) {
            double wide = 0;
            const auto result = std::from_chars(at, end, wide);
            behind = result.ptr, error = result.ec;
            value = static_cast<T>(wide);
        }
        if (error != std::errc())
            problem = "a number";
        else
            at = behind;
        return value;
    }
};

/// Part of an array, from one element's start to another's.
struct Slice {
    Scanner text;
    std::vector<float> numbers = {};

    void read(size_t tuple) {
        numbers.reserve(static_cast<size_t>(text.end - text.at) / 8);  // characters of a number
        for (text.passBlanks(); text.at != text.end && !text.problem; text.passBlanks()) {
            if (tuple > 1) text.expect('(', "'('");
            for (size_t i = 0; i < tuple && !text.problem; ++i) {
                if (i > 0) text.expect(',', "','");
                text.passBlanks();
                if (!text.problem) numbers.push_back(text.number<float>());
            }
            if (tuple > 1) text.expect(')', "')'");
            text.passBlanks();
            if (text.at != text.end) text.expect(',', "','");
        }
    }
};

/// Slices of about the same size. Comments may hold any mark, so text with comments is one slice.
std::vector<Slice> slicesOf(std::string_view elements, size_t tuple) {
    const bool whole = elements.find('#') != std::string_view::npos;
    std::vector<Slice> slices;
    for (size_t start = 0; start < elements.size();) {
        size_t end = start + kSliceBytes;
        if (tuple > 1) end = elements.find(')', end);
        if (end < elements.size()) end = elements.find(',', end);
        end = whole || end >= elements.size() ? elements.size() : end + 1;
        slices.push_back({.text = {elements.data() + start, elements.data() + end}});
        start = end;
    }
    return slices;
}

}  // namespace

std::vector<float> usdaArray(const UsdaText& text, std::string_view value, size_t tuple) {
    if (!value.starts_with('[')) text.fail(value.data(), "an array");
    std::vector<Slice> slices = slicesOf(value.substr(1, value.size() - 2), tuple);
    parallelFor(slices.size(), [&](size_t i) { slices[i].read(tuple); });
    size_t count = 0;
    std::vector<size_t> first;
    for (const Slice& slice : slices) {
        if (slice.text.problem) text.fail(slice.text.at, slice.text.problem);
        first.push_back(count);
        count += slice.numbers.size();
    }
    std::vector<float> numbers;
    resizeFast(numbers, count);
    parallelFor(slices.size(), [&](size_t i) {
        std::ranges::copy(slices[i].numbers, numbers.begin() + static_cast<std::ptrdiff_t>(first[i]));
        std::vector<float>().swap(slices[i].numbers);
    });
    return numbers;
}

std::vector<double> usdaNumbers(const UsdaText& text, std::string_view value, size_t count) {
    std::vector<double> numbers;
    Scanner scanner{value.data(), value.data() + value.size()};
    const auto isMark = [](char c) { return c == '(' || c == ')' || c == ','; };
    for (;;) {
        do scanner.passBlanks();
        while (scanner.at != scanner.end && isMark(*scanner.at) && ++scanner.at);
        if (scanner.at == scanner.end) break;
        numbers.push_back(scanner.number<double>());
        if (scanner.problem) text.fail(scanner.at, scanner.problem);
    }
    const bool finite = std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
    if (!finite || numbers.size() != count) text.fail(value.data(), fmt::format("{} finite numbers", count));
    return numbers;
}

}  // namespace splat
