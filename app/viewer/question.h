#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace splat::app {

/// Stands between a person and what cannot be taken back.
class Question {
public:
    /// Does it at once where nothing would be lost or nobody is there to be asked, and otherwise when the person says so.
    /// lost: what would go, in words; verb: what the button says.
    void unlessLost(std::vector<std::string> lost, std::string verb, std::function<void()> then);
    bool open() const { return asked_.has_value(); }
    /// Yes.
    void confirm();
    /// Between Ui::begin() and end().
    void draw();

    bool asks = true;  ///< false: nobody is there

private:
    struct Asked {
        std::vector<std::string> lost;
        std::string verb;
        std::function<void()> then;
    };

    std::optional<Asked> asked_;
};

}  // namespace splat::app
