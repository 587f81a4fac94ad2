#include "commands/output_path.h"

#include <splatwright/core/error.h>

namespace splat::app {

void checkOutputPath(const std::string& path) {
    if (path.empty()) throw InputError("-o: the path is empty, expected a folder");
}

}  // namespace splat::app
