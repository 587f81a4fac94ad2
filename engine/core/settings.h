#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/core/setting.h>

namespace splat {

/// The fields that one object describes while it is constructed, in the order of its members.
class FieldRecording {
public:
    FieldRecording();
    /// Ends the recording; fields of other objects constructed meanwhile are dropped.
    void end(const void* object, size_t bytes, std::string_view group, SettingUse use);
    /// The fields of another object of the same type.
    std::vector<SettingField> fieldsOf(void* object) const;

private:
    std::vector<SettingField>* const outer_;
    const std::byte* object_ = nullptr;
    std::vector<SettingField> fields_;
};

/// A default-constructed settings struct with its fields.
template <class Settings>
struct DescribedSettings {
    FieldRecording recording;
    Settings byDefault;

    DescribedSettings() {
        // Of fields that name none of their own.
        std::string_view group;
        SettingUse use = SettingUse::both;
        if constexpr (requires { Settings::kGroup; }) group = Settings::kGroup;
        if constexpr (requires { Settings::kUse; }) use = Settings::kUse;
        recording.end(&byDefault, sizeof(byDefault), group, use);
    }
};

/// The fields of a settings struct in their order; they point into it. Its members are initialised by setting(), or it has a member
/// function fields() that lists those of its parts.
template <class Settings>
std::vector<SettingField> settingFields(Settings& settings) {
    if constexpr (requires { settings.fields(); }) {
        return settings.fields();
    } else {
        static const DescribedSettings<Settings> described;
        return described.recording.fieldsOf(&settings);
    }
}

/// The settings of several components as one struct: another component is another type in the list.
template <class... Components>
struct SettingGroups : Components... {
    std::vector<SettingField> fields() {
        std::vector<SettingField> all;
        (std::ranges::copy(settingFields(static_cast<Components&>(*this)), std::back_inserter(all)), ...);
        return all;
    }
};

/// A settings struct as a value whose type only its owner knows.
class SettingsPart {
public:
    template <class Settings>
    explicit SettingsPart(Settings settings) : value_(std::move(settings)), fields_(&fieldsOf<Settings>) {}
    template <class Settings>
    static SettingsPart byDefault() {
        return SettingsPart(Settings{});
    }

    std::vector<SettingField> fields() { return fields_(value_); }
    /// Null unless the part is of this type.
    template <class Settings>
    Settings* get() {
        return std::any_cast<Settings>(&value_);
    }
    template <class Settings>
    const Settings* get() const {
        return std::any_cast<Settings>(&value_);
    }

private:
    template <class Settings>
    static std::vector<SettingField> fieldsOf(std::any& value) {
        return settingFields(*std::any_cast<Settings>(&value));
    }

    std::any value_;
    std::vector<SettingField> (*fields_)(std::any&);
};

/// The fields that act on a subject.
std::vector<SettingField> settingsOf(SettingUse subject, std::vector<SettingField> fields);

/// The field of this name. Throws InputError with similar names; `where` starts the message: "--set", or a file's path.
const SettingField& findSetting(const std::vector<SettingField>& fields, std::string_view name, std::string_view where);

/// Sets a field from text. Throws InputError for a value of another type, out of range or not among the choices.
void setSetting(const SettingField& field, std::string_view text, std::string_view where);

/// Splits KEY=VALUE. Throws InputError if there is no '='.
struct Assignment {
    std::string_view key;
    std::string_view value;
};
Assignment parseAssignment(std::string_view text, std::string_view where);

/// The value as text that setSetting() reads.
std::string settingText(const SettingField& field);

/// The part of --help after a field's help text: choices, or unit and range, if it has them.
std::string settingLimits(const SettingField& field);

nlohmann::json settingsToJson(const std::vector<SettingField>& fields);

/// Sets the fields that a JSON object has and returns their names. Throws InputError for an unknown key, a wrong type or a value out of range.
std::vector<std::string> settingsFromJson(const std::vector<SettingField>& fields, const nlohmann::json& object, std::string_view where);

}  // namespace splat
