#pragma once

#include <deque>
#include <functional>
#include <string>

#include "viewer/window/display.h"

namespace splat::test {

/// A display without a screen, whose user does one thing per frame: what gestures have queued, and, when all of it is done, what it is told to think of.
class Hand final : public app::Display {
public:
    explicit Hand(glm::uvec2 size) : size_(size) {}

    /// Called between two frames while nothing is queued; it may queue gestures. It also gets every frame, before.
    std::function<void()> think, everyFrame;

    // Gestures.
    void move(glm::vec2 to);
    void press(int button);
    void release(int button);
    void click(glm::vec2 at, int button);
    void drag(glm::vec2 from, glm::vec2 to, int button, int steps);
    void turn(glm::vec2 at, float turns);
    /// A key with modifiers, as in KeyPress, or a character.
    void chord(const std::string& chord);
    /// A key that flies, for some frames.
    void hold(const std::string& key, int frames);
    void modifiers(bool shift, bool control, bool alt);
    void type(const std::string& text);
    void drop(const std::filesystem::path& path);
    void resize(glm::uvec2 size, float scale);
    void minimise(int frames);
    void askToClose();
    void idle(int frames);
    bool isIdle() const { return steps_.empty(); }
    /// Forgets what is queued, and lets go of all buttons and keys.
    void letGo();

    bool isOnDesktop() const override { return false; }
    void poll() override;
    void wait(double seconds) override;
    glm::uvec2 size() const override { return size_; }
    float scale() const override { return scale_; }
    bool minimised() const override { return minimised_; }
    bool takeCloseRequest() override { return std::exchange(closes_, false); }
    void attach() override;
    void detach() override {}
    void beginFrame() override {}

private:
    void add(std::function<void()> step) { steps_.push_back(std::move(step)); }

    std::deque<std::function<void()>> steps_;
    glm::uvec2 size_;
    float scale_ = 1;
    bool minimised_ = false, closes_ = false;
};

}  // namespace splat::test
