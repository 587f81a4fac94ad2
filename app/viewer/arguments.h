#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

namespace splat::app {

/// The words after an action's name, taken one after the other. Every member throws InputError that says what was expected.
class Arguments {
public:
    Arguments(std::string_view action, std::vector<std::string> words) : action_(action), words_(std::move(words)) {}

    bool more() const { return next_ < words_.size(); }
    std::string text(std::string_view what);
    /// Both limits are allowed; NaN and infinity never are.
    double number(std::string_view what, double low = -kFar, double high = kFar);
    uint32_t count(std::string_view what, uint32_t low = 0, uint32_t high = kMost);
    glm::dvec3 triple(std::string_view what, double low = -kFar, double high = kFar);
    static constexpr double kFar = 1e7;           ///< world units, pixels, degrees: nothing has more
    static constexpr uint32_t kMost = 1'000'000;  ///< frames: hours of them

    /// Nothing may be left over.
    void finish() const;

private:
    std::string action_;
    std::vector<std::string> words_;
    size_t next_ = 0;
};

}  // namespace splat::app
