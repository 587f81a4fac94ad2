#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/formats/ply_header.h>

namespace splat {

/// The lines of a text that are not blank, at most so many. `searched`: bytes that are known to have no line end. `ended`: the last line may have
/// none. `taken` becomes the bytes of the text that the lines, and the blank ones between, take.
std::vector<std::string_view> linesOf(std::string_view text, size_t searched, bool ended, size_t most, size_t& taken);

/// Stores a line's numbers in the types of the element's properties, native byte order, one after the other. Returns what is wrong with the line:
/// property, row, found, expected; nothing if it is good.
std::string parseRow(std::string_view line, const PlyElement& element, std::byte* to, size_t row);

}  // namespace splat
