#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splat::app {

/// Stands between a person and what cannot be taken back.
class Question {
public:
    /// Does it at once where nothing would be lost or nobody is there to be asked, and otherwise when the person says so.
    /// lost: what would go, in words; verb: what the button says.
    void unlessLost(std::vector<std::string> lost, std::string verb, std::function<void()> then);
    bool open() const { return asked_.has_value(); }
    /// A key that is the question's while it is open: Escape calls it off, Enter does what the button under the keyboard's mark says.
    void press(std::string_view chord);
    /// Between Ui::begin() and end().
    void draw();
    /// What was agreed to since the last call, if anything; to be done between two frames, whose pictures it may take away.
    std::function<void()> takeAgreed() { return std::exchange(agreed_, nullptr); }

    bool asks = true;  ///< false: nobody is there

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
