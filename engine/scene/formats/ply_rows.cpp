#include <splatwright/scene/formats/ply_rows.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/files/text_reader.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlockBytes = size_t{32} << 20u;  // rows in memory at a time, so that a large model is not in memory twice
constexpr size_t kSliceRows = 4096;                // rows per thread and step

static_assert(std::endian::native == std::endian::little);

template <class T>
double load(const std::byte* source, bool swapped) {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), source, sizeof(T));
    if (swapped) std::ranges::reverse(bytes);
    return static_cast<double>(std::bit_cast<T>(bytes));
}

double load(PlyType type, const std::byte* source, bool swapped) {
    switch (type) {
        case PlyType::int8: return load<int8_t>(source, swapped);
        case PlyType::uint8: return load<uint8_t>(source, swapped);
        case PlyType::int16: return load<int16_t>(source, swapped);
        case PlyType::uint16: return load<uint16_t>(source, swapped);
        case PlyType::int32: return load<int32_t>(source, swapped);
        case PlyType::uint32: return load<uint32_t>(source, swapped);
        case PlyType::float32: return load<float>(source, swapped);
        case PlyType::float64: return load<double>(source, swapped);
    }
    SPLAT_CHECK(false, "PLY type {}", static_cast<int>(type));
    return 0;
}

/// A double outside float's range becomes infinite, which the caller rejects.
template <class Value>
Value loadAs(PlyType type, const std::byte* source, bool swapped) {
    if (type != PlyType::float32 || swapped) return static_cast<Value>(load(type, source, swapped));
    float value;
    std::memcpy(&value, source, sizeof value);
    return value;
}

std::string namesOf(const PlyElement& element) {
    std::string names;
    for (const PlyProperty& property : element.properties) names += (names.empty() ? "" : " ") + property.name;
    return names.empty() ? "none" : names;
}

}  // namespace

/// Consecutive rows in memory with a common stride.
struct PlyRows::Block {
    size_t firstRow;
    size_t rows;
    std::span<const std::byte> bytes;
    size_t stride;
    bool swapped;
    std::span<const Column> columns;
    std::span<const std::string> names;
};

PlyRows::PlyRows(const fs::path& path, const std::string& element) : path_(path), in_(openInput(path)) {
    header_ = readPlyHeader(in_, path_);
    const auto found = std::ranges::find(header_.elements, element, &PlyElement::name);
    for (auto before = header_.elements.begin(); before != found; ++before) passOver(*before);
    if (found == header_.elements.end())
        throw InputError("{}: element {} is missing, expected it in the PLY's header", path_.string(), element);
    element_ = *found;
    if (element_.hasLists()) throw InputError("{}: element {} has a list property, expected single values", path_.string(), element);
    checkLength();
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
                values = std::clamp(load(*property.countType, bytes.data(), swapped), 0.0, 4294967295.0);
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

PlyType PlyRows::typeOf(const std::string& property) const { return column(property).type; }

void PlyRows::require(const std::vector<std::string>& properties) const {
    for (const std::string& property : properties) column(property);
}

PlyRows::Column PlyRows::column(const std::string& property) const {
    size_t offset = 0;
    for (const PlyProperty& candidate : element_.properties) {
        if (candidate.name == property) return {offset, candidate.type};
        offset += bytesOf(candidate.type);
    }
    throw InputError("{}: property {} of element {} is missing, found {}", path_.string(), property, element_.name, namesOf(element_));
}

std::vector<std::byte> PlyRows::readBinaryRows(size_t rows) {
    std::vector<std::byte> bytes(rows * element_.stride());
    in_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<size_t>(in_.gcount()) != bytes.size()) throw InputError("{}: reading element {} failed", path_.string(), element_.name);
    return bytes;
}

/// Reads rows of text as consecutive little-endian doubles.
std::vector<std::byte> PlyRows::readAsciiRows(size_t first, size_t rows) {
    const size_t width = element_.properties.size();
    std::vector<std::byte> bytes(rows * width * sizeof(double));
    std::string line;
    for (size_t row = 0; row < rows; ++row) {
        std::string_view rest;
        for (size_t i = 0; i < width; ++i) {
            std::string_view word = takeWord(rest);
            while (word.empty() && i == 0 && std::getline(in_, line)) word = takeWord(rest = line);
            const auto number = parseNumber(word);
            if (!number) {
                throw InputError("{}: property {} of row {} is '{}', expected a number", path_.string(), element_.properties[i].name,
                                 first + row, word);
            }
            std::memcpy(&bytes[(row * width + i) * sizeof(double)], &*number, sizeof(double));
        }
    }
    return bytes;
}

template <class Value>
void PlyRows::forEach(const std::vector<std::string>& properties, const std::type_identity_t<Body<Value>>& body) {
    std::vector<Column> columns;
    for (const std::string& property : properties) columns.push_back(column(property));
    const bool ascii = header_.encoding == PlyEncoding::ascii;
    for (size_t i = 0; ascii && i < columns.size(); ++i) {
        const auto found = std::ranges::find(element_.properties, properties[i], &PlyProperty::name);
        columns[i] = {static_cast<size_t>(found - element_.properties.begin()) * sizeof(double), PlyType::float64};
    }
    const size_t stride = ascii ? element_.properties.size() * sizeof(double) : element_.stride();
    const size_t blockRows = std::max<size_t>(1, kBlockBytes / std::max<size_t>(1, stride));
    for (size_t first = 0; first < count(); first += blockRows) {
        const size_t rows = std::min(blockRows, count() - first);
        const std::vector<std::byte> bytes = ascii ? readAsciiRows(first, rows) : readBinaryRows(rows);
        convert<Value>({first, rows, bytes, stride, header_.encoding == PlyEncoding::bigEndian, columns, properties}, body);
    }
}

template <class Value>
void PlyRows::convert(const Block& block, const Body<Value>& body) const {
    constexpr size_t kNone = std::numeric_limits<size_t>::max();
    std::atomic<size_t> firstBad = kNone;
    parallelFor((block.rows + kSliceRows - 1) / kSliceRows, [&](size_t slice) {
        std::vector<Value> values(block.columns.size());
        const size_t end = std::min(block.rows, (slice + 1) * kSliceRows);
        for (size_t row = slice * kSliceRows; row < end; ++row) {
            const std::byte* source = block.bytes.data() + row * block.stride;
            bool finite = true;
            for (size_t i = 0; i < values.size(); ++i) {
                values[i] = loadAs<Value>(block.columns[i].type, source + block.columns[i].offset, block.swapped);
                finite &= std::isfinite(values[i]);
            }
            if (finite) {
                body(block.firstRow + row, values);
                continue;
            }
            for (size_t seen = firstBad; row < seen && !firstBad.compare_exchange_weak(seen, row);) {
            }
        }
    });
    for (size_t i = 0; firstBad != kNone && i < block.columns.size(); ++i) {
        const std::byte* source = block.bytes.data() + firstBad * block.stride + block.columns[i].offset;
        if (std::isfinite(loadAs<Value>(block.columns[i].type, source, block.swapped))) continue;
        throw InputError("{}: property {} of row {} is {}, expected a finite float", path_.string(), block.names[i],
                         block.firstRow + firstBad, load(block.columns[i].type, source, block.swapped));
    }
}

template void PlyRows::forEach<float>(const std::vector<std::string>& properties, const Body<float>& body);
template void PlyRows::forEach<double>(const std::vector<std::string>& properties, const Body<double>& body);

}  // namespace splat
