#include "viewer/actions/action_tables.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include "viewer/actions/actions.h"

namespace splat::app {

namespace {

/// Text that may stand in a cell of a table.
std::string cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// Two keys a line, to be read line by line.
std::string keyTable() {
    std::vector<std::string> keys;
    for (const Action& action : actionTable())
        if (*action.chord != '\0') keys.push_back(fmt::format("`{}` | {}", action.chord, cell(action.help)));
    std::string table = "| key | does | key | does |\n|---|---|---|---|\n";
    for (size_t i = 0; i < keys.size(); i += 2) table += fmt::format("| {} | {} |\n", keys[i], i + 1 < keys.size() ? keys[i + 1] : " | ");
    return table;
}

std::string lineTable() {
    std::string table = "| line | does | key |\n|---|---|---|\n";
    for (const Action& action : actionTable()) {
        const std::string line = fmt::format("`{}{}{}`", action.name, *action.arguments != '\0' ? " " : "", cell(action.arguments));
        table += fmt::format("| {} | {} | {} |\n", line, cell(action.help), action.chord);
    }
    return table;
}

std::string tableOf(std::string_view name) {
    if (name == "keys") return keyTable();
    if (name == "lines") return lineTable();
    throw InputError("there is no table '{}', expected keys or lines", name);
}

}  // namespace

std::string withActionTables(const std::string& document) {
    constexpr std::string_view kBegin = "<!-- splatwright_documents ", kClose = " -->\n";
    std::string result;
    size_t copied = 0;
    for (size_t begin = document.find(kBegin); begin != std::string::npos; begin = document.find(kBegin, copied)) {
        const size_t name = begin + kBegin.size(), close = document.find(kClose, name);
        const std::string table = document.substr(name, close - name);
        const size_t end = document.find(fmt::format("<!-- end of {} -->", table), name);
        if (close == std::string::npos || end == std::string::npos) throw InputError("the table '{}' has no end", table);
        result += document.substr(copied, close + kClose.size() - copied) + tableOf(table);
        copied = end;
    }
    return result + document.substr(copied);
}

}  // namespace splat::app
