#include <splatwright/core/settings.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/near_names.h>
#include <splatwright/core/read_number.h>

namespace splat {

namespace {

[[noreturn]] void refuse(const SettingField& field, std::string_view text, std::string_view where, std::string_view expected) {
    throw InputError("{}: {} is '{}', expected {}", where, field.name, text, expected);
}

constexpr double kLargest = 1e9;  // of settings that are not whole numbers: far beyond what any means, and its square is still a float

/// Written so that NaN is outside every range.
bool inRange(double value, const Setting& about) { return value >= about.min && value <= about.max; }

/// Writes whole numbers in full: 10000000, not 1e+07.
std::string numberText(double value) {
    constexpr double kExact = 1e15;
    const bool whole = std::abs(value) < kExact && std::trunc(value) == value;
    return whole ? fmt::format("{}", static_cast<int64_t>(value)) : fmt::format("{}", value);
}

std::string describeRange(const Setting& about) {
    const bool low = about.min > std::numeric_limits<double>::lowest();
    const bool high = about.max < std::numeric_limits<double>::max();
    if (low && high) return fmt::format("{} to {}", numberText(about.min), numberText(about.max));
    if (low) return fmt::format("at least {}", numberText(about.min));
    return high ? fmt::format("at most {}", numberText(about.max)) : "";
}

std::string expectedNumber(const SettingField& field, std::string_view kind) {
    const std::string range = describeRange(field.about);
    return range.empty() ? std::string(kind) : fmt::format("{}, {}", kind, range);
}

/// Sets one field from text; one overload a type.
struct FromText {
    const SettingField& field;
    std::string_view text;
    std::string_view where;

    void operator()(std::string* value) const {
        const auto choices = field.about.choices;
        if (!choices.empty() && std::ranges::find(choices, text) == choices.end())
            refuse(field, text, where, fmt::format("one of {}", fmt::join(choices, ", ")));
        *value = text;
    }

    void operator()(bool* value) const {
        if (text != "true" && text != "false") refuse(field, text, where, "true or false");
        *value = text == "true";
    }

    void operator()(uint32_t* value) const {
        uint32_t number = 0;
        if (!readNumber(text, number) || !inRange(number, field.about)) refuse(field, text, where, expectedNumber(field, "a whole number"));
        *value = number;
    }

    void operator()(double* value) const {
        double number = 0;
        if (!readNumber(text, number) || !inRange(number, field.about)) refuse(field, text, where, expectedNumber(field, "a number"));
        if (std::abs(number) > kLargest) refuse(field, text, where, fmt::format("a number between {} and {}", -kLargest, kLargest));
        *value = number;
    }

    void operator()(glm::vec3* value) const {
        glm::vec3 numbers;
        const std::span each(&numbers.x, 3);
        const bool good = readNumbers(std::string_view(text), each) && std::ranges::all_of(each, [&](float number) {
                              return inRange(static_cast<double>(number), field.about) && std::abs(number) <= kLargest;
                          });
        if (!good) refuse(field, text, where, expectedNumber(field, "three numbers with commas between"));
        *value = numbers;
    }
};

struct ToText {
    std::string operator()(const std::string* value) const { return *value; }
    std::string operator()(const glm::vec3* value) const { return fmt::format("{},{},{}", value->x, value->y, value->z); }
    template <class T>
    std::string operator()(const T* value) const {
        return fmt::format("{}", *value);
    }
};

}  // namespace

FieldRecording::FieldRecording() : outer_(detail::constructedFields) { detail::constructedFields = &fields_; }

void FieldRecording::end(const void* object, size_t bytes, std::string_view group, SettingUse use) {
    detail::constructedFields = outer_;
    object_ = static_cast<const std::byte*>(object);
    const auto isInside = [&](const auto* member) {
        const auto* at = reinterpret_cast<const std::byte*>(member);
        return !std::less<>()(at, object_) && std::less<>()(at, object_ + bytes);
    };
    std::erase_if(fields_, [&](const SettingField& field) { return !std::visit(isInside, field.value); });
    for (SettingField& field : fields_) {
        if (field.about.group.empty()) field.about.group = group;
        if (field.about.use == SettingUse::both) field.about.use = use;
    }
}

std::vector<SettingField> FieldRecording::fieldsOf(void* object) const {
    std::vector<SettingField> fields = fields_;
    const auto move = [&]<class T>(T*& member) {
        const ptrdiff_t offset = reinterpret_cast<const std::byte*>(member) - object_;
        member = reinterpret_cast<T*>(static_cast<std::byte*>(object) + offset);
    };
    for (SettingField& field : fields) std::visit(move, field.value);
    return fields;
}

std::vector<SettingField> settingsOf(SettingUse subject, std::vector<SettingField> fields) {
    std::erase_if(fields, [&](const SettingField& field) { return field.about.use != SettingUse::both && field.about.use != subject; });
    return fields;
}

const SettingField& findSetting(const std::vector<SettingField>& fields, std::string_view name, std::string_view where) {
    const auto found = std::ranges::find(fields, name, &SettingField::name);
    if (found != fields.end()) return *found;
    std::vector<std::string_view> names;
    std::ranges::transform(fields, std::back_inserter(names), &SettingField::name);
    throw InputError("{}: there is no setting '{}'; near it: {}", where, name, fmt::join(nearestNames(std::move(names), name), ", "));
}

void setSetting(const SettingField& field, std::string_view text, std::string_view where) {
    std::visit(FromText{field, text, where}, field.value);
}

Assignment parseAssignment(std::string_view text, std::string_view where) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) throw InputError("{}: found '{}', expected KEY=VALUE", where, text);
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string settingText(const SettingField& field) { return std::visit(ToText{}, field.value); }

std::string settingLimits(const SettingField& field) {
    if (!field.about.choices.empty()) return fmt::format("{}", fmt::join(field.about.choices, ", "));
    std::string range = describeRange(field.about);
    const std::string_view unit = field.about.unit;
    if (unit.empty()) return range;
    return range.empty() ? std::string(unit) : fmt::format("{}, {}", unit, range);
}

}  // namespace splat
