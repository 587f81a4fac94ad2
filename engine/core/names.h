#pragma once

#include <set>
#include <string>
#include <string_view>

namespace splat {

// Names and paths from files are untrusted bytes. These functions turn them into text that is safe to print, to store and to join to a folder.

/// A name as one line of valid UTF-8 without control characters, for JSON, labels and terminals. Other bytes are written \n, \t, \r or \xNN and
/// a backslash is doubled, so different names stay different.
std::string escapedName(std::string_view bytes);

/// A message or path for a terminal, escaped like a name but with single backslashes. Line breaks followed by two blanks are kept, as in our own
/// lists, so no name can start a line.
std::string printable(std::string_view text);

/// Adds two blanks after each inner line break, so that printable() keeps the lines, and drops a final break.
std::string indented(std::string_view text);

/// Text of at most `longest` bytes (at least 32): longer text is cut between characters and ends with "~" and a hash of the whole.
std::string shortened(std::string_view text, size_t longest);

/// Hexadecimal digits that tell texts apart (FNV-1a, 64 bits; Fowler, Noll, Vo). Not against deliberate collisions.
std::string hashOf(std::string_view text);

/// Makes names for output files from names in input files. Each is a single path component of at most 120 bytes before its ending and is unique,
/// so that no file is written outside its folder or over another one.
class OutputNames {
public:
    /// Slashes become underscores. Names with other changes end with a hash of the whole, names already in use with a number.
    std::string take(std::string_view name, std::string_view ending);

private:
    std::set<std::string> taken_;
};

}  // namespace splat
