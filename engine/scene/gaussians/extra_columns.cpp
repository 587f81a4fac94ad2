#include <splatwright/scene/gaussians/extra_columns.h>

#include <algorithm>
#include <cstring>

namespace splat {
namespace {

void setNumber(ExtraColumn& column, size_t i, double number) {
    visitType(column.type, [&](auto value) {
        value = static_cast<decltype(value)>(number);
        std::memcpy(&column.values[i * sizeof value], &value, sizeof value);
    });
}

void widen(ExtraColumn& column, size_t count) {
    ExtraColumn wide{column.name, PlyType::float64, std::vector<std::byte>(count * sizeof(double))};
    for (size_t i = 0; i < count; ++i) setNumber(wide, i, numberOf(column, i));
    column = std::move(wide);
}

}  // namespace

double numberOf(const ExtraColumn& column, size_t i) {
    return visitType(column.type, [&](auto value) {
        std::memcpy(&value, &column.values[i * sizeof value], sizeof value);
        return static_cast<double>(value);
    });
}

const ExtraColumn* columnOf(const std::vector<ExtraColumn>& columns, const std::string& name) {
    const auto found = std::ranges::find(columns, name, &ExtraColumn::name);
    return found == columns.end() ? nullptr : &*found;
}

void copyExtras(std::vector<ExtraColumn>& to, size_t target, const std::vector<ExtraColumn>& from, size_t source) {
    for (ExtraColumn& column : to) {
        const ExtraColumn* found = columnOf(from, column.name);
        if (!found) continue;
        const size_t bytes = bytesOf(column.type);
        if (found->type == column.type)
            std::memcpy(&column.values[target * bytes], &found->values[source * bytes], bytes);
        else
            setNumber(column, target, numberOf(*found, source));
    }
}

void addColumns(std::vector<ExtraColumn>& columns, size_t count, const std::vector<ExtraColumn>& from) {
    for (const ExtraColumn& other : from) {
        const auto found = std::ranges::find(columns, other.name, &ExtraColumn::name);
        if (found == columns.end())
            columns.push_back({other.name, other.type, std::vector<std::byte>(count * bytesOf(other.type))});
        else if (found->type != other.type)
            widen(*found, count);
    }
}

}  // namespace splat
