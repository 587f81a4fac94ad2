#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace splat {

/// The world is at fault (a file, an argument, the device): the message says where, what was found and what was expected.
class Error : public std::runtime_error {
public:
    template <class... Args>
    explicit Error(fmt::format_string<Args...> text, Args&&... args) : std::runtime_error(fmt::format(text, std::forward<Args>(args)...)) {}
};

/// Unreadable input or wrong usage; the command line turns it into exit code 2.
class InputError : public Error {
public:
    using Error::Error;
};

namespace detail {
[[noreturn]] void checkFailed(const char* expression, const char* file, int line, const std::string& values);
}

}  // namespace splat

/// Our own mistakes: on in every build, and prints the formatted values after the condition.
#define CHECK(condition, ...)                                                                                     \
    do {                                                                                                          \
        if (!(condition)) ::splat::detail::checkFailed(#condition, __FILE__, __LINE__, fmt::format(__VA_ARGS__)); \
    } while (false)
