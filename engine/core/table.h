#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>

namespace splat {

template <class Row, class... Rows>
constexpr std::array<const Row*, sizeof...(Rows)> pointersTo(const Rows&... rows) {
    return {&rows...};
}

/// The names of a table's rows, in its order.
std::vector<std::string_view> rowNames(const auto& table) {
    std::vector<std::string_view> names;
    for (const auto* row : table) names.push_back(row->name);
    return names;
}

/// Throws InputError naming `setting`, whose value names no row, and the names that do.
const auto& rowByName(const auto& table, std::string_view setting, std::string_view name) {
    for (const auto* row : table) {
        if (row->name == name) return *row;
    }
    throw InputError("{} is '{}', expected one of {}", setting, name, fmt::join(rowNames(table), ", "));
}

}  // namespace splat

/// Declares rows that are defined in a file each, and lists them as `table`: another row is another name here. Constant initialisation, so
/// the table is complete before any code runs.
#define SPLAT_TABLE(Row, table, ...) \
    extern const Row __VA_ARGS__;    \
    static constexpr auto table = ::splat::pointersTo<Row>(__VA_ARGS__)
