#pragma once

#include <string>

namespace splat::primitives {

/// Whether the start-up self test selected a variant of a primitive, and why, for `info`.
struct VariantChoice {
    std::string variant;
    bool selected = false;
    std::string reason;
};

}  // namespace splat::primitives
