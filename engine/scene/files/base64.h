#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace splat {

/// The bytes of a text in base64 (RFC 4648), with or without padding; nothing if it is not base64.
std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text);

}  // namespace splat
