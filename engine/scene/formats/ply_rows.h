#pragma once

#include <fstream>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/ply_conversion.h>
#include <splatwright/scene/formats/ply_header.h>

namespace splat {

/// Rows of one element of a PLY file, read by property name, in any type, order and encoding.
class PlyRows {
public:
    /// Throws InputError if the element is missing, has lists, or the file is too short for it.
    PlyRows(const std::filesystem::path& path, const std::string& element);

    size_t count() const { return static_cast<size_t>(element_.count); }
    /// Whether the file also has an element of this name.
    bool fileHas(const std::string& element) const;
    /// Whether the header has this comment.
    bool hasComment(const std::string& comment) const;
    bool has(const std::string& property) const;
    /// Number of properties that start with the prefix.
    size_t countOf(const std::string& prefix) const;
    /// Throws InputError if the property is missing.
    PlyType typeOf(const std::string& property) const;
    /// Throws InputError if one of them is missing. Required properties bound the rows' memory by about the file's size.
    void require(const std::vector<std::string>& properties) const;

    /// Reads infinite numbers of a property as its ends, with a warning the first time. Without this they are refused.
    void replaceInfinite(const std::string& property, PlyEnds ends) { ends_[property] = ends; }

    /// Columns for the element's properties that are not among these, without values.
    std::vector<ExtraColumn> columnsExcept(const std::vector<std::string>& properties) const;

    /// Calls body(row, values of the named properties) for every row, in parallel and in any order, and fills the columns, which properties of the
    /// element name. Value is float, or uint8_t or uint32_t for properties of that type. Throws InputError for a missing property or a value that is not finite,
    /// with the property and the first such row; columns may hold any number.
    template <class Value = float>
    void forEach(const std::vector<std::string>& properties, const typename PlyConversion<std::type_identity_t<Value>>::Body& body,
                 std::span<ExtraColumn> columns = {});

    bool isBinary() const { return header_.encoding != PlyEncoding::ascii; }
    /// Like forEach() for the rows [first, end) of a binary file, on the calling thread. Body and columns get them counted from 0. Any thread may call
    /// this.
    template <class Value = float>
    void forSome(size_t first, size_t end, const std::vector<std::string>& properties,
                 const typename PlyConversion<std::type_identity_t<Value>>::Body& body, std::span<ExtraColumn> columns = {}) const;

    /// Whether these properties are zero in every row of a binary file, all of which is read to know.
    bool allZero(const std::vector<std::string>& properties) const;

private:
    PlyPlace place(const std::string& property) const;
    std::vector<PlyPlace> placesOf(const std::vector<std::string>& properties) const;
    std::vector<PlyPlace> placesOf(std::span<const ExtraColumn> columns) const;
    bool swapped() const { return header_.encoding == PlyEncoding::bigEndian; }
    void passOver(const PlyElement& element);
    void passOverLists(const PlyElement& element);
    void checkLength();
    uint64_t bytesLeft();
    template <class Value>
    void finish(const PlyConversion<Value>& conversion) const;
    template <class Value>
    void convertText(PlyConversion<Value>& conversion);
    template <class Value>
    void convertBinary(PlyConversion<Value>& conversion);
    template <class Value>
    void convertBinary(PlyConversion<Value>& conversion, size_t to, size_t first, size_t end) const;

    std::filesystem::path path_;
    RandomAccessFile file_;
    std::ifstream in_;  // at the element's first row
    PlyHeader header_;
    PlyElement element_;
    uint64_t start_ = 0;  // bytes of the file before the element
    std::map<std::string, PlyEnds> ends_;
    mutable std::once_flag warned_;  // of infinite numbers
};

}  // namespace splat
