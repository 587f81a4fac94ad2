#pragma once

#include <string>
#include <string_view>

namespace splat::app {

/// Dialog with the full text of a message that is too long for the status bar.
class Message {
public:
    void show(std::string text);
    bool open() const { return !text_.empty(); }
    const std::string& text() const { return text_; }
    /// Handles a key while open: Escape and Enter close it.
    void press(std::string_view chord);
    /// Call between Ui::begin() and end().
    void draw();

private:
    std::string text_;
};

}  // namespace splat::app
