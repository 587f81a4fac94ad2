#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <splatwright/prepare/prepare.h>

namespace splat::app {

/// Offers to compute the camera poses of photographs or a video.
class PrepareDialog {
public:
    using Chosen = std::function<void(const prepare::Settings&)>;

    /// contents: such as "30 photographs". The dataset's folder is proposed beside the input.
    void offer(const std::filesystem::path& input, std::string contents, Chosen chosen);
    bool isOpen() const { return open_; }
    /// Handles a key while open: Escape closes it, Enter presses the focused button.
    void press(std::string_view chord);
    /// Call between Ui::begin() and end().
    void draw();
    /// The action chosen since the last call, if any.
    std::function<void()> takeChosen() { return std::exchange(done_, nullptr); }

private:
    bool drawButtons();

    bool open_ = false, entered_ = false;
    std::string contents_, out_;
    int frames_ = 0;
    bool isVideo_ = false;
    prepare::Settings settings_;
    Chosen chosen_;
    std::function<void()> done_;
};

}  // namespace splat::app
