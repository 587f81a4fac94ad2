#pragma once

#include <bit>
#include <string>
#include <type_traits>

namespace splat {

static_assert(std::endian::native == std::endian::little, "COLMAP's files are little-endian");

/// Appends plain values without padding, as COLMAP's binary files store them.
class BytePacker {
public:
    template <class... T>
    BytePacker& put(const T&... values) {
        static_assert((std::is_arithmetic_v<T> && ...));
        (text_.append(reinterpret_cast<const char*>(&values), sizeof(T)), ...);
        return *this;
    }
    void putName(const std::string& name) { text_.append(name.c_str(), name.size() + 1); }  // with the terminating zero
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

}  // namespace splat
