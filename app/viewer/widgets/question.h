#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splat::app {

/// Asks before something is lost, or what to do with something that was.
class Question {
public:
    /// Runs the action at once if nothing would be lost or nobody can be asked, else after confirmation.
    /// lost: description of what would be lost; verb: for the button.
    void unlessLost(std::vector<std::string> lost, std::string verb, std::function<void()> then);
    /// Another answer to a question, and what it does.
    struct Answer {
        std::string text;
        std::function<void()> then;
    };
    /// Asks which of two; Enter takes the second, Escape neither. If nobody can be asked, neither.
    void offer(std::string title, std::vector<std::string> lines, Answer first, Answer second);
    bool open() const { return asked_.has_value(); }
    /// Handles a key while open: Escape answers nothing, Enter presses the focused button.
    void press(std::string_view chord);
    /// Call between Ui::begin() and end().
    void draw();
    /// The action confirmed since the last call, if any. Run it between frames, because it may destroy their pictures.
    std::function<void()> takeAgreed() { return std::exchange(agreed_, nullptr); }

    bool asks = true;  ///< false: nobody can answer

private:
    struct Asked {
        std::string title;
        std::vector<std::string> lines;
        Answer yes, no;
    };

    std::optional<Asked> asked_;
    std::string title_;  ///< of the last question
    std::function<void()> agreed_;
    bool entered_ = false;  ///< since the last draw()
};

}  // namespace splat::app
