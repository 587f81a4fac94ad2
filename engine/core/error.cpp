#include <splatwright/core/error.h>

namespace splat::detail {

void checkFailed(const char* expression, const char* file, int line, const std::string& values) {
    throw std::logic_error(fmt::format("{}:{}: internal check '{}' failed: {}", file, line, expression, values));
}

}  // namespace splat::detail
