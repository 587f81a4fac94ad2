#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <glm/glm.hpp>

namespace splat {

/// The subjects of training that a setting acts on; help lists only those of its command.
enum class SettingUse : uint8_t {
    both,
    scenes,    ///< 3D Gaussians
    pictures,  ///< 2D blobs of a single picture
};

/// Description of one field of a settings struct. Command line, JSON files, checkpoints and the viewer's panels are made from it.
struct Setting {
    std::string_view help;
    std::string_view group = "";  ///< heading that lists the field; empty: the kGroup of its struct
    std::string_view unit = "";
    double min = std::numeric_limits<double>::lowest();
    double max = std::numeric_limits<double>::max();
    std::span<const std::string_view> choices = {};  ///< of a string; empty: any. Must outlive all use
    bool restart = false;                            ///< cannot change in a running training, only at a new start
    bool resume = false;                             ///< may differ when a checkpoint is resumed: decides no step's result
    SettingUse use = SettingUse::both;               ///< `both`: the kUse of its struct, if it has one
};

/// One field of a settings struct, of any type: name, address and description.
struct SettingField {
    std::string_view name;
    std::variant<std::string*, bool*, uint32_t*, double*, glm::vec3*> value;
    Setting about;
};

namespace detail {
/// Receives the fields of settings structs constructed on this thread; null unless FieldRecording is at work.
inline thread_local std::vector<SettingField>* constructedFields = nullptr;
}  // namespace detail

/// States name, default and description of a settings struct's member in that member's own initialiser, and returns the default:
///     double rate = setting(&rate, "rate", 0.1, {.help = "Learning rate", .min = 0, .max = 1});
/// This one line is all that a setting needs: settingFields() finds it.
template <class T>
T setting(T* member, std::string_view name, std::type_identity_t<T> byDefault, const Setting& about) {
    if (detail::constructedFields) detail::constructedFields->push_back({name, member, about});
    return byDefault;
}

}  // namespace splat
