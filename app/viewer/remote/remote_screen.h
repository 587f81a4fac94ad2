#pragma once

#include <deque>
#include <set>
#include <string>

#include "viewer/remote/audience.h"
#include "viewer/window/display.h"

namespace splat::app {

/// A display without a desktop: its frames go to an audience of pages, whose pointer, keys and text come back like those of a window. Without an
/// audience it is minimised.
class RemoteScreen final : public Display {
public:
    static constexpr uint32_t kMostSide = 4096;  ///< pixels: every device draws as many; a larger page shows it enlarged

    /// size: pixels. follows: whether the page in control sets the size; else it shows that size scaled.
    RemoteScreen(Audience& audience, glm::uvec2 size, bool follows);

    bool isOnDesktop() const override { return false; }
    void poll() override;
    void wait(double seconds) override;
    glm::uvec2 size() const override { return size_; }
    float scale() const override { return scale_; }
    bool minimised() const override { return audience_.empty(); }
    void attach() override;
    void detach() override;
    void beginFrame() override;
    bool wantsFrames() const override { return !audience_.empty(); }
    void show(Image8 frame) override;

private:
    void takeInput();
    bool needsFrame(const ClientMessage& message) const;
    bool types(const std::string& key) const;
    void take(const PointerMoved& moved);
    void take(const ButtonChanged& changed);
    void take(const WheelTurned& wheel);
    void take(const KeyChanged& changed);
    void take(const TextTyped& typed);
    void take(const TextPasted& pasted);
    void take(const FocusLost& lost);
    void take(const Resized& resized);
    template <class Other>
    void take(const Other& /*the audience's own*/) {}
    void press(const std::string& key);

    Audience& audience_;
    glm::uvec2 size_;
    bool follows_;
    float scale_ = 1;
    double nextFrame_ = 0;               ///< time, seconds
    std::deque<ClientMessage> waiting_;  ///< for the next frame
    std::set<std::string> down_;         ///< keys with modifiers
    std::set<std::string> pressed_;      ///< since the last frame began, but for modifiers and letters
    bool hasText_ = false;               ///< as well
    std::set<int> buttons_;
    std::string clipboard_;
    int cursor_ = 0;  ///< ImGuiMouseCursor that the page shows
};

}  // namespace splat::app
