#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splat {

/// The bytes of a text in base64 (RFC 4648), with or without padding; nothing if it is not base64.
std::optional<std::vector<std::byte>> bytesOfBase64(std::string_view text);

/// Base64 with padding.
std::string base64Of(std::span<const std::byte> bytes);

}  // namespace splat
