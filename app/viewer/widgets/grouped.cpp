#include "viewer/widgets/grouped.h"

namespace splat::app {

std::string grouped(uint64_t count) {
    std::string text = std::to_string(count);
    for (size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
    return text;
}

}  // namespace splat::app
