#include <splatwright/scene/formats/ply_rows.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>

#include <spdlog/spdlog.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/memory.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/files/byte_order.h>
#include <splatwright/scene/formats/ply_text.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

// Bytes of rows per thread and step: a large model is not in memory twice.
constexpr size_t kSliceBytes = size_t{256} << 10u;
constexpr size_t kTextBytes = size_t{16} << 20u;  // in memory at a time
constexpr size_t kSliceLines = 1024;

/// The length of a list.
double lengthOf(PlyType type, const std::byte* bytes, bool swapped) {
    return visitType(type, [&](auto number) {
        std::memcpy(&number, bytes, sizeof number);
        return std::clamp(static_cast<double>(swapped ? byteSwapped(number) : number), 0.0, 4294967295.0);
    });
}

std::string namesOf(const PlyElement& element) {
    std::string names;
    for (const PlyProperty& property : element.properties) names += (names.empty() ? "" : " ") + property.name;
    return names.empty() ? "none" : names;
}

}  // namespace

PlyRows::PlyRows(const fs::path& path, const std::string& element) : path_(path), file_(path), in_(openInput(path)) {
    header_ = readPlyHeader(in_, path_);
    const auto found = std::ranges::find(header_.elements, element, &PlyElement::name);
    for (auto before = header_.elements.begin(); before != found; ++before) passOver(*before);
    if (found == header_.elements.end())
        throw InputError("{}: element {} is missing, expected it in the PLY's header", path_.string(), element);
    element_ = *found;
    if (element_.hasLists()) throw InputError("{}: element {} has a list property, expected single values", path_.string(), element);
    checkLength();
    start_ = static_cast<uint64_t>(in_.tellg());
}

uint64_t PlyRows::bytesLeft() {
    const auto here = in_.tellg();
    const uint64_t size = fs::file_size(path_);
    const auto position = here < 0 ? size : static_cast<uint64_t>(here);
    return size - std::min(size, position);
}

void PlyRows::checkLength() {
    // In text, a number and its separator take at least two characters.
    const bool ascii = header_.encoding == PlyEncoding::ascii;
    const size_t stride = std::max<size_t>(1, ascii ? 2 * element_.properties.size() : element_.stride());
    const uint64_t left = bytesLeft() + (ascii ? 1 : 0);  // the last number needs no separator
    if (element_.count > left / stride) {
        throw InputError("{}: too few bytes for element {}: found {} bytes, expected {} rows of {}{}", path_.string(), element_.name, left,
                         element_.count, ascii ? "at least " : "", stride);
    }
}

void PlyRows::passOver(const PlyElement& element) {
    if (header_.encoding == PlyEncoding::ascii) {
        std::string line;
        for (uint64_t row = 0; row < element.count && std::getline(in_, line); ++row) {
        }
    } else if (element.hasLists()) {
        passOverLists(element);
    } else {
        // May end past the end of the file if the count is wrong; checkLength() reports that.
        const uint64_t rows = std::min<uint64_t>(element.count, bytesLeft() / std::max<size_t>(1, element.stride()) + 1);
        in_.seekg(static_cast<std::streamoff>(rows * element.stride()), std::ios::cur);
    }
}

void PlyRows::passOverLists(const PlyElement& element) {
    const bool swapped = header_.encoding == PlyEncoding::bigEndian;
    for (uint64_t row = 0; row < element.count && in_; ++row) {
        for (const PlyProperty& property : element.properties) {
            double values = 1;
            if (property.countType) {
                std::array<std::byte, 8> bytes{};
                in_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytesOf(*property.countType)));
                values = lengthOf(*property.countType, bytes.data(), swapped);
            }
            in_.ignore(static_cast<std::streamsize>(values) * static_cast<std::streamsize>(bytesOf(property.type)));
        }
    }
    if (!in_) throw InputError("{}: too few bytes for element {}, expected {} rows", path_.string(), element.name, element.count);
}

bool PlyRows::has(const std::string& property) const { return std::ranges::count(element_.properties, property, &PlyProperty::name) > 0; }

bool PlyRows::fileHas(const std::string& element) const { return std::ranges::count(header_.elements, element, &PlyElement::name) > 0; }

bool PlyRows::hasComment(const std::string& comment) const { return std::ranges::count(header_.comments, comment) > 0; }

size_t PlyRows::countOf(const std::string& prefix) const {
    return static_cast<size_t>(std::ranges::count_if(element_.properties, [&](const auto& p) { return p.name.starts_with(prefix); }));
}

PlyType PlyRows::typeOf(const std::string& property) const { return place(property).type; }

void PlyRows::require(const std::vector<std::string>& properties) const {
    for (const std::string& property : properties) place(property);
}

PlyPlace PlyRows::place(const std::string& property) const {
    size_t offset = 0;
    for (const PlyProperty& candidate : element_.properties) {
        if (candidate.name == property) {
            const auto ends = ends_.find(property);
            return {property, offset, candidate.type, ends == ends_.end() ? PlyEnds{} : ends->second};
        }
        offset += bytesOf(candidate.type);
    }
    throw InputError("{}: property {} of element {} is missing, found {}", path_.string(), property, element_.name, namesOf(element_));
}

std::vector<ExtraColumn> PlyRows::columnsExcept(const std::vector<std::string>& properties) const {
    std::vector<ExtraColumn> columns;
    for (const PlyProperty& property : element_.properties) {
        if (std::ranges::count(properties, property.name) > 0) continue;
        columns.push_back({property.name, property.type, {}});
    }
    return columns;
}

std::vector<PlyPlace> PlyRows::placesOf(const std::vector<std::string>& properties) const {
    std::vector<PlyPlace> places;
    for (const std::string& property : properties) places.push_back(place(property));
    return places;
}

std::vector<PlyPlace> PlyRows::placesOf(std::span<const ExtraColumn> columns) const {
    std::vector<PlyPlace> places;
    for (const ExtraColumn& column : columns) places.push_back(place(column.name));
    return places;
}

template <class Value>
void PlyRows::forEach(const std::vector<std::string>& properties, const typename PlyConversion<std::type_identity_t<Value>>::Body& body,
                      std::span<ExtraColumn> columns) {
    PlyConversion<Value> conversion(placesOf(properties), body, placesOf(columns), columns, swapped());
    isBinary() ? convertBinary(conversion) : convertText(conversion);
    finish(conversion);
}

template <class Value>
void PlyRows::forSome(size_t first, size_t end, const std::vector<std::string>& properties,
                      const typename PlyConversion<std::type_identity_t<Value>>::Body& body, std::span<ExtraColumn> columns) const {
    PlyConversion<Value> conversion(placesOf(properties), body, placesOf(columns), columns, swapped(), first);
    convertBinary(conversion, 0, first, end);
    finish(conversion);
}

/// Throws InputError for the first row that is not as expected.
template <class Value>
void PlyRows::finish(const PlyConversion<Value>& conversion) const {
    conversion.throwProblem(path_);
    const PlyPlace* place = conversion.replaced();
    if (!place) return;
    std::call_once(warned_, [&] {
        const auto& [low, high] = place->ends;
        const std::string ends = low && high ? fmt::format("{} or {}", *low, *high) : fmt::format("{}", low ? *low : *high);
        spdlog::warn("{}: property {} is infinite in some rows, read as {}", path_.string(), place->name, ends);
    });
}

/// Rows [first, end) of the file are the conversion's from `to` on.
template <class Value>
void PlyRows::convertBinary(PlyConversion<Value>& conversion, size_t to, size_t first, size_t end) const {
    const size_t stride = element_.stride(), bytes = (end - first) * stride;
    if (bytes == 0) return;
    UnfilledBytes rows(bytes);
    file_.read(start_ + first * stride, rows.span());
    conversion.convert(to, rows.span(), stride);
}

template <class Value>
void PlyRows::convertBinary(PlyConversion<Value>& conversion) {
    const size_t sliceRows = std::max<size_t>(1, kSliceBytes / std::max<size_t>(1, element_.stride()));
    parallelSlices(count(), sliceRows, [&](size_t first, size_t end) { convertBinary(conversion, first, first, end); });
}

template <class Value>
void PlyRows::convertText(PlyConversion<Value>& conversion) {
    const size_t stride = element_.stride();
    std::string text;
    for (size_t row = 0; row < count() && stride > 0;) {
        const size_t before = text.size();
        text.resize(before + std::min<uint64_t>(kTextBytes, bytesLeft()));
        in_.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
        text.resize(before + static_cast<size_t>(in_.gcount()));
        const bool ended = bytesLeft() == 0;
        size_t taken = 0;
        const std::vector<std::string_view> lines = linesOf(text, before, ended, count() - row, taken);
        if (lines.empty() && ended) {
            throw InputError("{}: property {} of row {} is '', expected a number", path_.string(), element_.properties[0].name, row);
        }
        parallelSlices(lines.size(), kSliceLines, [&](size_t first, size_t end) {
            std::vector<std::byte> rows((end - first) * stride);
            for (size_t i = first; i < end; ++i) {
                const std::string problem = parseRow(lines[i], element_, &rows[(i - first) * stride], row + i);
                if (!problem.empty()) conversion.report(row + i, problem);
            }
            conversion.convert(row + first, rows, stride);
        });
        row += lines.size();
        text.erase(0, taken);
        conversion.throwProblem(path_);
    }
}

bool PlyRows::allZero(const std::vector<std::string>& properties) const {
    const size_t stride = element_.stride(), sliceRows = std::max<size_t>(1, kSliceBytes / std::max<size_t>(1, stride));
    const std::vector<PlyPlace> places = placesOf(properties);
    std::atomic<bool> zero = true;
    parallelSlices(count(), sliceRows, [&](size_t first, size_t end) {
        if (!zero) return;
        UnfilledBytes rows((end - first) * stride);
        file_.read(start_ + first * stride, rows.span());
        for (size_t row = 0; row < end - first; ++row)
            for (const PlyPlace& place : places) {
                const auto number = rows.span().subspan(row * stride + place.offset, bytesOf(place.type));
                if (std::ranges::any_of(number, [](std::byte byte) { return byte != std::byte{}; })) zero = false;
            }
    });
    return zero;
}

template void PlyRows::forEach<float>(const std::vector<std::string>& properties, const PlyConversion<float>::Body& body,
                                      std::span<ExtraColumn> columns);
template void PlyRows::forEach<uint8_t>(const std::vector<std::string>& properties, const PlyConversion<uint8_t>::Body& body,
                                        std::span<ExtraColumn> columns);
template void PlyRows::forEach<uint32_t>(const std::vector<std::string>& properties, const PlyConversion<uint32_t>::Body& body,
                                         std::span<ExtraColumn> columns);
template void PlyRows::forSome<float>(size_t first, size_t end, const std::vector<std::string>& properties,
                                      const PlyConversion<float>::Body& body, std::span<ExtraColumn> columns) const;
template void PlyRows::forSome<uint8_t>(size_t first, size_t end, const std::vector<std::string>& properties,
                                        const PlyConversion<uint8_t>::Body& body, std::span<ExtraColumn> columns) const;
template void PlyRows::forSome<uint32_t>(size_t first, size_t end, const std::vector<std::string>& properties,
                                         const PlyConversion<uint32_t>::Body& body, std::span<ExtraColumn> columns) const;

}  // namespace splat
