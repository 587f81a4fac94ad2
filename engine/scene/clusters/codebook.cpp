#include <splatwright/scene/clusters/codebook.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/scene/clusters/float_sort.h>

namespace splat {
namespace {

constexpr size_t kEntries = std::tuple_size_v<ByteValues>;
constexpr size_t kBins = 2048;  // 16384 leave 0.05 % less error

using SortedValues = std::vector<WeightedValue>;

/// Sums over the first n of some values in ascending order.
class Sums {
public:
    explicit Sums(size_t count) { sums_.reserve(count + 1), sums_.push_back({}); }

    void add(double weight, double sum, double squares) {
        const Sum& last = sums_.back();
        sums_.push_back({last.weight + weight, last.sum + sum, last.squares + squares});
    }
    double mean(size_t first, size_t end) const { return (sums_[end].sum - sums_[first].sum) / (sums_[end].weight - sums_[first].weight); }
    /// The weighted sum of squared distances to the mean.
    double error(size_t first, size_t end) const {
        const double weight = sums_[end].weight - sums_[first].weight, sum = sums_[end].sum - sums_[first].sum;
        return sums_[end].squares - sums_[first].squares - sum * sum / weight;
    }

private:
    struct Sum {
        double weight = 0, sum = 0, squares = 0;
    };
    std::vector<Sum> sums_;
};

/// The ends of bins of sorted values. A bin has no more than a part of the values, nor of the range of all but a few of them, or only one value.
std::vector<size_t> binsOf(const SortedValues& sorted) {
    const auto value = [&](size_t i) { return static_cast<double>(sorted[i].value); };
    const size_t few = sorted.size() / 1000;  // so that values far out do not make the others' bins wide
    const double width = (value(sorted.size() - 1 - few) - value(few)) / kBins;
    const size_t most = sorted.size() / kBins;
    std::vector<size_t> ends;
    for (size_t first = 0; first < sorted.size(); first = ends.back()) {
        size_t end = first + 1;
        while (end < sorted.size() &&
               (sorted[end].value == sorted[first].value || (end - first < most && value(end) - value(first) < width)))
            ++end;
        ends.push_back(end);
    }
    return ends;
}

/// Divides bins among entries with the least error, by dynamic programming over the entries. The best first bin of the last entry never moves down
/// as bins are added, so that halving finds it for all of them.
class Division {
public:
    Division(const Sums& bins, size_t count)
        : bins_(bins), count_(count), errors_(count + 1), firsts_(kEntries, std::vector<uint32_t>(count + 1)) {
        for (size_t end = 1; end <= count; ++end) errors_[end] = bins.error(0, end);
        for (size_t entry = 1; entry < kEntries; ++entry) {
            before_ = errors_;
            best(entry, entry + 1, count + 1, entry, count);
        }
    }

    /// The first bin of each entry.
    std::array<size_t, kEntries> firsts() const {
        std::array<size_t, kEntries> firsts{};
        size_t end = count_;
        for (size_t entry = kEntries - 1; entry > 0; --entry) end = firsts[entry] = firsts_[entry][end];
        return firsts;
    }

private:
    /// For the ends in [low, high), whose best first bins are in [least, most].
    void best(size_t entry, size_t low, size_t high, size_t least, size_t most) {
        if (low >= high) return;
        const size_t end = low + (high - low) / 2;
        double lowest = std::numeric_limits<double>::max();
        size_t found = least;
        for (size_t first = least; first <= std::min(most, end - 1); ++first) {
            const double error = before_[first] + bins_.error(first, end);
            if (error < lowest) lowest = error, found = first;
        }
        errors_[end] = lowest;
        firsts_[entry][end] = static_cast<uint32_t>(found);
        best(entry, low, end, least, found);
        best(entry, end + 1, high, found, most);
    }

    const Sums& bins_;
    size_t count_;
    std::vector<double> before_, errors_;  // least errors of the first bins with the entries so far
    std::vector<std::vector<uint32_t>> firsts_;
};

/// Moves entries to the mean of the values that are nearest to them until none moves.
void settle(ByteValues& codebook, const SortedValues& sorted) {
    constexpr int kMostRounds = 200;
    std::vector<double> weights(sorted.size() + 1), sums(sorted.size() + 1);
    for (size_t i = 0; i < sorted.size(); ++i) {
        const auto weight = static_cast<double>(sorted[i].weight);
        weights[i + 1] = weights[i] + weight;
        sums[i + 1] = sums[i] + weight * static_cast<double>(sorted[i].value);
    }
    for (int round = 0; round < kMostRounds; ++round) {
        const ByteValues before = codebook;
        size_t first = 0;
        for (size_t entry = 0; entry < kEntries; ++entry) {
            const auto end = entry + 1 == kEntries ? sorted.end()
                                                   : std::ranges::upper_bound(sorted, std::midpoint(before[entry], before[entry + 1]), {},
                                                                              &WeightedValue::value);
            const auto next = static_cast<size_t>(end - sorted.begin());
            if (next > first) codebook[entry] = static_cast<float>((sums[next] - sums[first]) / (weights[next] - weights[first]));
            first = std::max(first, next);
        }
        if (codebook == before) return;
    }
}

/// The entries that leave the least error.
ByteValues closestEntries(const SortedValues& sorted) {
    const std::vector<size_t> ends = binsOf(sorted);
    Sums bins(ends.size());
    const auto middle = static_cast<double>(sorted[sorted.size() / 2].value);  // squares of differences lose less to rounding
    for (size_t b = 0, i = 0; b < ends.size(); ++b) {
        double weights = 0, sum = 0, squares = 0;
        for (; i < ends[b]; ++i) {
            const auto weight = static_cast<double>(sorted[i].weight);
            const double value = static_cast<double>(sorted[i].value) - middle;
            weights += weight, sum += weight * value, squares += weight * value * value;
        }
        bins.add(weights, sum, squares);
    }
    const auto firsts = Division(bins, ends.size()).firsts();
    ByteValues codebook;
    for (size_t entry = 0; entry < kEntries; ++entry) {
        const size_t end = entry + 1 < kEntries ? firsts[entry + 1] : ends.size();
        codebook[entry] = static_cast<float>(bins.mean(firsts[entry], end) + middle);
    }
    settle(codebook, sorted);
    return codebook;
}

/// Entries at about equal distances.
ByteValues evenEntries(const SortedValues& sorted) {
    const size_t few = sorted.size() / 2000;  // values far out, which would make all distances large
    const float low = sorted[few].value, high = sorted[sorted.size() - 1 - few].value;
    ByteValues codebook;
    for (size_t entry = 0; entry < kEntries; ++entry) codebook[entry] = std::lerp(low, high, static_cast<float>(entry) / (kEntries - 1));
    codebook.front() = sorted.front().value, codebook.back() = sorted.back().value;
    settle(codebook, sorted);
    return codebook;
}

double errorOf(const ByteValues& codebook, const SortedValues& sorted) {
    double error = 0;
    for (size_t entry = 0; const WeightedValue& v : sorted) {
        while (entry + 1 < kEntries && v.value > std::midpoint(codebook[entry], codebook[entry + 1])) ++entry;
        const double difference = static_cast<double>(v.value) - static_cast<double>(codebook[entry]);
        error += static_cast<double>(v.weight) * difference * difference;
    }
    return error;
}

/// The codebook that has all values, if they are few.
std::optional<ByteValues> allOfFew(const SortedValues& sorted) {
    ByteValues codebook;
    size_t count = 0;
    for (const WeightedValue& v : sorted) {
        if (count > 0 && v.value == codebook[count - 1]) continue;
        if (count == kEntries) return std::nullopt;
        codebook[count++] = v.value;
    }
    std::fill(codebook.begin() + static_cast<ptrdiff_t>(count), codebook.end(), codebook[count - 1]);
    return codebook;
}

void sort(SortedValues& values) {
    SPLAT_CHECK(!values.empty(), "a codebook of no values");
    sortByFloat(values, [](const WeightedValue& v) { return v.value; });
}

}  // namespace

ByteValues codebookOf(std::vector<WeightedValue> values) {
    sort(values);
    const std::optional<ByteValues> all = allOfFew(values);
    return all ? *all : closestEntries(values);
}

ByteValues evenCodebookOf(const std::vector<float>& values) {
    constexpr double kMostError = 4;  // times the least: what one more bit of each value is worth
    SortedValues sorted(values.size());
    std::ranges::transform(values, sorted.begin(), [](float value) { return WeightedValue{value}; });
    sort(sorted);
    if (const std::optional<ByteValues> all = allOfFew(sorted)) return *all;
    const ByteValues closest = closestEntries(sorted), even = evenEntries(sorted);
    return errorOf(even, sorted) <= kMostError * errorOf(closest, sorted) ? even : closest;
}

uint8_t nearestByte(const ByteValues& codebook, float value) {
    // The first entry that is not below the value, or the last one; without branches, which no processor could predict.
    size_t at = 0;
    for (size_t step = kEntries / 2; step > 0; step /= 2) at += step * static_cast<size_t>(codebook[at + step - 1] < value);
    if (at == 0) return 0;
    return static_cast<uint8_t>(value - codebook[at - 1] <= codebook[at] - value ? at - 1 : at);
}

}  // namespace splat
