#pragma once

#include <set>
#include <string>
#include <string_view>

namespace splat {

// Names and paths are bytes that somebody else chose. These functions make text of them that is safe to print, to store and to join to a
// folder.

/// A name as one line of valid UTF-8 without control characters, for JSON, labels and terminals. Other bytes are written \n, \t, \r or \xNN and
/// a backslash is doubled, so different names stay different.
std::string escapedName(std::string_view bytes);

/// A message or path for a terminal, escaped like a name but with its backslashes as they are. A line break stays if two blanks follow it,
/// as in our own lists: no name can begin a line of its own.
std::string printable(std::string_view text);

/// The text with two blanks after each line break inside it, so that printable() keeps its lines; without the break at its end.
std::string indented(std::string_view text);

/// Text of at most `longest` bytes (at least 32): a longer one is cut at a character and ends with "~" and a hash of the whole.
std::string shortened(std::string_view text, size_t longest);

/// Names for output files, made of names from input files. Each is one path component of at most 120 bytes before its ending and is given out
/// once, so no file lies outside its folder or overwrites another one.
class OutputNames {
public:
    /// Slashes become underscores. A name that needs other changes ends with a hash of the whole, one that is taken with a number.
    std::string take(std::string_view name, std::string_view ending);

private:
    std::set<std::string> taken_;
};

}  // namespace splat
