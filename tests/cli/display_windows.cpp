// A session of Windows has one screen, which is there. Under Wine, $DISPLAY says where it is shown.
#include <cstdlib>

#include "display.h"

namespace splat::test {

Display::Display() {
    const char* display = std::getenv("DISPLAY");
    name_ = display ? display : "screen";
}

Display::~Display() = default;

}  // namespace splat::test
