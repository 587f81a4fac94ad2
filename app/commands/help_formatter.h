#pragma once

#include <CLI/CLI.hpp>

namespace splat::app {

/// Option help as "--steps N [30000]": CLI11 prints "N=30000", and for lists "=[] ...".
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() { column_width(34); }

    std::string make_option_opts(const CLI::Option* option) const override {  // NOLINT: CLI11's name
        if (option->get_type_size() == 0) return "";
        const std::string type = option->get_type_name();
        std::string text = " " + type.substr(0, type.find(':'));  // what follows are names of validators
        const std::string fallback = option->get_default_str();
        if (!fallback.empty() && fallback != "[]") text += " [" + fallback + "]";
        if (option->get_required()) text += " (required)";
        return text;
    }
};

}  // namespace splat::app
