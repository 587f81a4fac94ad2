#include "viewer/actions/arguments.h"

#include <splatwright/core/error.h>
#include <splatwright/core/read_number.h>

namespace splat::app {

std::string Arguments::text(std::string_view what) {
    if (!more()) throw InputError("{}: {} is missing", action_, what);
    return words_[next_++];
}

double Arguments::number(std::string_view what, double low, double high) {
    const std::string word = text(what);
    double value = 0;
    if (!readNumber(word, value)) throw InputError("{}: {} is '{}', expected a number", action_, what, word);
    if (!(value >= low && value <= high))
        throw InputError("{}: {} is '{}', expected a number from {} to {}", action_, what, word, low, high);
    return value;
}

uint32_t Arguments::count(std::string_view what, uint32_t low, uint32_t high) {
    const std::string word = text(what);
    uint32_t value = 0;
    if (!readNumber(word, value) || value < low || value > high)
        throw InputError("{}: {} is '{}', expected a whole number from {} to {}", action_, what, word, low, high);
    return value;
}

glm::dvec3 Arguments::triple(std::string_view what, double low, double high) {
    const double x = number(what, low, high), y = number(what, low, high);
    return {x, y, number(what, low, high)};
}

void Arguments::finish() const {
    if (more()) throw InputError("{}: '{}' is one word too many", action_, words_[next_]);
}

}  // namespace splat::app
