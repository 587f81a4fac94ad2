#include <splatwright/scene/formats/ply_conversion.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/scene/files/byte_order.h>
#include <splatwright/scene/formats/finite.h>

namespace splat {
namespace {

/// A double outside float's range becomes infinite, which is reported.
template <class T, class Value, bool kSwapped>
void loadRun(const std::byte* from, Value* to, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        T number;
        std::memcpy(&number, from + i * sizeof number, sizeof number);
        to[i] = static_cast<Value>(kSwapped ? byteSwapped(number) : number);
    }
}

template <class Value>
auto loaderOf(PlyType type, bool swapped) {
    return visitType(type, [&](auto number) {
        using T = decltype(number);
        return swapped ? loadRun<T, Value, true> : loadRun<T, Value, false>;
    });
}

/// One number of a column.
void copyNumber(const std::byte* from, std::byte* to, PlyType type, bool swapped) {
    visitType(type, [&](auto number) {
        std::memcpy(&number, from, sizeof number);
        if (swapped) number = byteSwapped(number);
        std::memcpy(to, &number, sizeof number);
    });
}

}  // namespace

template <class Value>
PlyConversion<Value>::PlyConversion(std::vector<PlyPlace> places, const Body& body, std::vector<PlyPlace> columnPlaces,
                                    std::span<ExtraColumn> columns, bool swapped, size_t before)
    : places_(std::move(places)),
      columnPlaces_(std::move(columnPlaces)),
      body_(body),
      columns_(columns),
      swapped_(swapped),
      before_(before) {
    for (size_t i = 0; i < places_.size(); ++i) {
        const PlyPlace& place = places_[i];
        const bool follows = !runs_.empty() && runs_.back().type == place.type &&
                             place.offset == runs_.back().offset + runs_.back().count * bytesOf(place.type);
        if (follows)
            ++runs_.back().count;
        else
            runs_.push_back({place.offset, i, 1, place.type, loaderOf<Value>(place.type, swapped)});
    }
}

template <class Value>
void PlyConversion<Value>::convert(size_t firstRow, std::span<const std::byte> rows, size_t stride) {
    std::vector<Value> values(places_.size());
    const size_t count = rows.size() / stride;
    for (size_t row = 0; row < count; ++row) {
        const std::byte* bytes = rows.data() + row * stride;
        for (const Run& run : runs_) run.load(bytes + run.offset, values.data() + run.first, run.count);
        if (allFinite(std::span<const Value>(values)) || replaceInfinite(values))
            body_(firstRow + row, values);
        else
            reportNotFinite(firstRow + row, bytes, values);
        for (size_t c = 0; c < columns_.size(); ++c) {
            const PlyPlace& place = columnPlaces_[c];
            copyNumber(bytes + place.offset, &columns_[c].values[(firstRow + row) * bytesOf(place.type)], place.type, swapped_);
        }
    }
}

/// Replaces infinite numbers of properties that have ends. Returns whether the row is finite then.
template <class Value>
bool PlyConversion<Value>::replaceInfinite(std::span<Value> values) {
    for (size_t i = 0; i < places_.size(); ++i) {
        const PlyPlace& place = places_[i];
        const auto number = static_cast<double>(values[i]);
        const std::optional<float>& end = number < 0 ? place.ends.low : place.ends.high;
        if (!end || !std::isinf(number)) continue;
        values[i] = static_cast<Value>(*end);
        replaced_ = &place;
    }
    return allFinite(std::span<const Value>(values));
}

template <class Value>
void PlyConversion<Value>::reportNotFinite(size_t row, const std::byte* bytes, std::span<const Value> values) {
    const auto bad = std::ranges::find_if_not(values, [](Value value) { return std::isfinite(static_cast<double>(value)); });
    const PlyPlace& place = places_[static_cast<size_t>(bad - values.begin())];
    double found = 0;  // which may be beyond Value's range only
    loaderOf<double>(place.type, swapped_)(bytes + place.offset, &found, 1);
    report(row, fmt::format("property {} of row {} is {}, expected a finite float", place.name, before_ + row, found));
}

template <class Value>
void PlyConversion<Value>::report(size_t row, std::string problem) {
    const std::scoped_lock lock(mutex_);
    if (!problem_ || row < problem_->row) problem_ = {row, std::move(problem)};
}

template <class Value>
void PlyConversion<Value>::throwProblem(const std::filesystem::path& path) const {
    if (problem_) throw InputError("{}: {}", path.string(), problem_->text);
}

template class PlyConversion<float>;
template class PlyConversion<uint8_t>;
template class PlyConversion<uint32_t>;

}  // namespace splat
