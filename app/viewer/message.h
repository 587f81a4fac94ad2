#pragma once

#include <string>
#include <string_view>

namespace splat::app {

/// A message that is too long for the status bar, in full.
class Message {
public:
    void show(std::string text);
    bool open() const { return !text_.empty(); }
    const std::string& text() const { return text_; }
    /// A key that is the message's while it is open: Escape and Enter close it.
    void press(std::string_view chord);
    /// Between Ui::begin() and end().
    void draw();

private:
    std::string text_;
};

}  // namespace splat::app
