#pragma once

#include <array>

namespace splat {

template <class Row, class... Rows>
constexpr std::array<const Row*, sizeof...(Rows)> pointersTo(const Rows&... rows) {
    return {&rows...};
}

}  // namespace splat

/// Declares rows that are defined in a file each, and lists them as `table`: another row is another name here. Constant initialisation, so
/// the table is complete before any code runs.
#define SPLAT_TABLE(Row, table, ...) \
    extern const Row __VA_ARGS__;    \
    static constexpr auto table = ::splat::pointersTo<Row>(__VA_ARGS__)
