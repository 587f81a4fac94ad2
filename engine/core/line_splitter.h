#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace splat {

/// Splits text that comes in pieces into lines. A carriage return ends a line too, as in progress lines of programs; lines that are longer than
/// `longest` bytes are cut.
class LineSplitter {
public:
    explicit LineSplitter(std::function<void(std::string_view)> onLine, size_t longest = 65536)
        : onLine_(std::move(onLine)), longest_(longest) {}

    void add(std::string_view text) {
        for (const char c : text) {
            if (c == '\n' || c == '\r' || line_.size() == longest_) flush();
            if (c != '\n' && c != '\r') line_ += c;
        }
    }
    /// The end of the text ends its last line.
    void finish() {
        if (!line_.empty()) flush();
    }

private:
    void flush() {
        const std::string line = std::exchange(line_, {});
        onLine_(line);
    }

    std::function<void(std::string_view)> onLine_;
    size_t longest_;
    std::string line_;
};

}  // namespace splat
