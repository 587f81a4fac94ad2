#include <splatwright/scene/formats/ply_header.h>

#include <algorithm>
#include <array>
#include <istream>

#include <splatwright/core/error.h>
#include <splatwright/scene/files/text_reader.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

struct TypeName {
    std::string_view name;
    PlyType type;
};

constexpr std::array kTypes{
    TypeName{"char", PlyType::int8},       TypeName{"int8", PlyType::int8},       TypeName{"uchar", PlyType::uint8},
    TypeName{"uint8", PlyType::uint8},     TypeName{"short", PlyType::int16},     TypeName{"int16", PlyType::int16},
    TypeName{"ushort", PlyType::uint16},   TypeName{"uint16", PlyType::uint16},   TypeName{"int", PlyType::int32},
    TypeName{"int32", PlyType::int32},     TypeName{"uint", PlyType::uint32},     TypeName{"uint32", PlyType::uint32},
    TypeName{"float", PlyType::float32},   TypeName{"float32", PlyType::float32}, TypeName{"double", PlyType::float64},
    TypeName{"float64", PlyType::float64},
};

constexpr size_t kMaxLine = 4096;  // bytes; longer lines are not part of a header
constexpr size_t kMaxLines = 10000;

/// Reads the header line by line and keeps the current line for messages.
class HeaderParser {
public:
    HeaderParser(std::istream& in, const fs::path& path) : in_(in), path_(path) {}

    PlyHeader parse() {
        if (nextLine() != "ply") fail("the first line", "'ply'");
        while (nextLine() != "end_header") parseLine();
        if (!hasFormat_) fail("the header", "a format line");
        return std::move(header_);
    }

private:
    std::string_view nextLine() {
        if (++number_ > kMaxLines) fail("the header", "end_header");
        line_.clear();
        for (int c = in_.get(); c != '\n'; c = in_.get()) {
            if (c == std::istream::traits_type::eof() || line_.size() > kMaxLine) fail("the header", "end_header");
            line_.push_back(static_cast<char>(c));
        }
        if (line_.ends_with('\r')) line_.pop_back();
        return line_;
    }

    void parseLine() {
        std::string_view rest = line_;
        const std::string_view keyword = takeWord(rest);
        if (keyword == "format") {
            parseFormat(takeWord(rest));
        } else if (keyword == "element") {
            TextLine line(path_, number_, rest);
            header_.elements.push_back({std::string(line.readWord("element name")), line.readInteger("element count"), {}});
        } else if (keyword == "property") {
            parseProperty(rest);
        } else if (keyword == "comment") {
            header_.comments.emplace_back(rest.empty() ? rest : rest.substr(1));
        } else if (!keyword.empty() && keyword != "obj_info") {
            fail("the line", "format, element, property, comment, obj_info or end_header");
        }
    }

    void parseFormat(std::string_view name) {
        hasFormat_ = true;
        if (name == "ascii")
            header_.encoding = PlyEncoding::ascii;
        else if (name == "binary_little_endian")
            header_.encoding = PlyEncoding::littleEndian;
        else if (name == "binary_big_endian")
            header_.encoding = PlyEncoding::bigEndian;
        else
            fail("the format", "ascii, binary_little_endian or binary_big_endian");
    }

    void parseProperty(std::string_view rest) {
        if (header_.elements.empty()) fail("the property", "an element before it");
        PlyProperty property;
        std::string_view type = takeWord(rest);
        if (type == "list") {
            property.countType = parseType(takeWord(rest));
            type = takeWord(rest);
        }
        property.type = parseType(type);
        property.name = takeWord(rest);
        auto& properties = header_.elements.back().properties;
        if (property.name.empty() || std::ranges::count(properties, property.name, &PlyProperty::name) > 0) {
            fail("the property", "a unique name");
        }
        properties.push_back(std::move(property));
    }

    PlyType parseType(std::string_view name) const {
        const auto found = std::ranges::find(kTypes, name, &TypeName::name);
        if (found == kTypes.end()) fail("the property", "a PLY type such as float or uchar");
        return found->type;
    }

    [[noreturn]] void fail(const char* what, const char* expected) const {
        const std::string_view shown = std::string_view(line_).substr(0, 60);
        throw InputError("{}:{}: {} of the PLY is '{}', expected {}", path_.string(), number_, what, shown, expected);
    }

    std::istream& in_;
    const fs::path& path_;
    PlyHeader header_;
    std::string line_;
    size_t number_ = 0;
    bool hasFormat_ = false;
};

}  // namespace

std::string_view nameOf(PlyType type) { return std::ranges::find(kTypes, type, &TypeName::type)->name; }

bool PlyElement::hasLists() const {
    return std::ranges::any_of(properties, [](const PlyProperty& property) { return property.countType.has_value(); });
}

size_t PlyElement::stride() const {
    size_t bytes = 0;
    for (const PlyProperty& property : properties) bytes += bytesOf(property.type);
    return bytes;
}

bool startsAsPly(std::string_view head) { return head.starts_with("ply\n") || head.starts_with("ply\r"); }

PlyHeader readPlyHeader(std::istream& in, const fs::path& path) { return HeaderParser(in, path).parse(); }

}  // namespace splat
