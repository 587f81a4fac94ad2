#include "viewer/arguments.h"

#include <charconv>

#include "core/error.h"

namespace splat::app {

std::string Arguments::text(std::string_view what) {
    if (!more()) throw InputError("{}: {} is missing", action_, what);
    return words_[next_++];
}

double Arguments::number(std::string_view what) {
    const std::string word = text(what);
    double value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size())
        throw InputError("{}: {} is '{}', expected a number", action_, what, word);
    return value;
}

uint32_t Arguments::count(std::string_view what) {
    const std::string word = text(what);
    uint32_t value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size())
        throw InputError("{}: {} is '{}', expected a whole number from 0 on", action_, what, word);
    return value;
}

glm::dvec3 Arguments::triple(std::string_view what) {
    const double x = number(what), y = number(what);
    return {x, y, number(what)};
}

void Arguments::finish() const {
    if (more()) throw InputError("{}: '{}' is one word too many", action_, words_[next_]);
}

}  // namespace splat::app
