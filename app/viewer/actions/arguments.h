#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

namespace splat::app {

/// Reads the words after an action's name, one by one. Every member throws InputError with what was expected.
class Arguments {
public:
    Arguments(std::string_view action, std::vector<std::string> words) : action_(action), words_(std::move(words)) {}

    bool more() const { return next_ < words_.size(); }
    std::string text(std::string_view what);
    /// Both limits are included; NaN and infinity are refused.
    double number(std::string_view what, double low = -kFar, double high = kFar);
    uint32_t count(std::string_view what, uint32_t low = 0, uint32_t high = kMost);
    glm::dvec3 triple(std::string_view what, double low = -kFar, double high = kFar);
    static constexpr double kFar = 1e7;           ///< limit of world units, pixels and degrees
    static constexpr uint32_t kMost = 1'000'000;  ///< limit of frames: hours

    /// Throws InputError if there are more words.
    void finish() const;

private:
    std::string action_;
    std::vector<std::string> words_;
    size_t next_ = 0;
};

}  // namespace splat::app
