#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace splat {

/// An error outside the program (a file, an argument, the device): the message says where, what was found and what was expected.
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

/// Checks for programming errors in every build; throws std::logic_error with the condition and the formatted values.
#define SPLAT_CHECK(condition, ...)                                                                               \
    do {                                                                                                          \
        if (!(condition)) ::splat::detail::checkFailed(#condition, __FILE__, __LINE__, fmt::format(__VA_ARGS__)); \
    } while (false)
