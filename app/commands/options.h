#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands/parse.h"

namespace splat::app {

// Options whose values are checked while the command line is parsed: --help shows their range, and values outside throw InputError. A variable's
// value is the default; variables must outlive the command. tests/cli/options_test.cpp checks every option for this.

/// Parses the option's text with a function of commands/parse.h.
template <class T>
CLI::Option* addParsed(CLI::App& command, const std::string& name, T& value, T (*parse)(std::string_view, std::string_view),
                       const std::string& help) {
    return command.add_option_function<std::string>(
        name, [&value, parse, name](const std::string& text) { value = parse(text, name); }, help);
}

template <std::integral T>
CLI::Option* addNumber(CLI::App& command, const std::string& name, T& value, Range<T> range, const std::string& help) {
    return command
        .add_option_function<std::string>(
            name, [&value, range, name](const std::string& text) { value = parseNumber(text, name, range); },
            fmt::format("{} ({})", help, range.text()))
        ->type_name("N")
        ->default_str(std::to_string(value));
}

/// A decimal number without a default.
CLI::Option* addReal(CLI::App& command, const std::string& name, float& value, Range<float> range, const std::string& help);

/// "1,20,300"; repeating the option adds more.
template <std::integral T>
CLI::Option* addNumbers(CLI::App& command, const std::string& name, std::vector<T>& values, Range<T> range, const std::string& help) {
    const auto read = [&values, range, name](const std::vector<std::string>& texts) {
        values.clear();
        for (const std::string& text : texts) {
            size_t begin = 0;
            for (size_t comma = 0; comma != std::string::npos; begin = comma + 1) {
                comma = text.find(',', begin);
                values.push_back(parseNumber(std::string_view(text).substr(begin, comma - begin), name, range));
            }
        }
    };
    return command.add_option_function<std::vector<std::string>>(name, read, fmt::format("{} ({})", help, range.text()))
        ->allow_extra_args(false)
        ->type_name("N,...");
}

/// 0x0 means no default.
CLI::Option* addSize(CLI::App& command, const std::string& name, ImageSize& size, const std::string& help);
CLI::Option* addColour(CLI::App& command, const std::string& name, glm::vec3& colour, const std::string& help);
CLI::Option* addDirection(CLI::App& command, const std::string& name, glm::vec3& direction, const std::string& help);
CLI::Option* addSplit(CLI::App& command, Split& split, const std::string& help);
CLI::Option* addTestEvery(CLI::App& command, int& testEvery, const std::string& help);
CLI::Option* addDownscale(CLI::App& command, int& downscale, const std::string& help);

}  // namespace splat::app
