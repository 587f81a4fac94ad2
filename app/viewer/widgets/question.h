#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splat::app {

/// Asks for confirmation before something is lost.
class Question {
public:
    /// Runs the action at once if nothing would be lost or nobody can be asked, else after confirmation.
    /// lost: description of what would be lost; verb: for the button.
    void unlessLost(std::vector<std::string> lost, std::string verb, std::function<void()> then);
    bool open() const { return asked_.has_value(); }
    /// Handles a key while open: Escape cancels, Enter presses the focused button.
    void press(std::string_view chord);
    /// Call between Ui::begin() and end().
    void draw();
    /// The action confirmed since the last call, if any. Run it between frames, because it may destroy their pictures.
    std::function<void()> takeAgreed() { return std::exchange(agreed_, nullptr); }

    bool asks = true;  ///< false: nobody can answer

private:
    struct Asked {
        std::vector<std::string> lost;
        std::string verb;
        std::function<void()> then;
    };

    std::optional<Asked> asked_;
    std::function<void()> agreed_;
    bool entered_ = false;  ///< since the last draw()
};

}  // namespace splat::app
