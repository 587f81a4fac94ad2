#include "viewer/remote/client_message.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include "viewer/remote/key_names.h"

namespace splat::app {

namespace {

using Json = nlohmann::json;

constexpr size_t kMostTypedBytes = 1024;
constexpr float kLeastPlace = -16384, kMostPlace = 32768;  // pixels
constexpr float kMostTurns = 100;
constexpr float kLeastScale = 0.5F, kMostScale = 4;
constexpr uint32_t kMostSide = 16384;  // pixels; as large as a texture on any device
constexpr size_t kMostShown = 40;      // bytes of what came that an error repeats

/// A message's members, of which each has to be read.
class Members {
public:
    explicit Members(const Json& json) : json_(json) {}

    const Json& at(const char* name) {
        ++read_;
        const auto found = json_.find(name);
        if (found == json_.end()) throw InputError("'{}' is missing", name);
        return *found;
    }
    float number(const char* name, float least, float most) {
        const Json& value = at(name);
        const double number = value.is_number() ? value.get<double>() : std::nan("");
        if (!(number >= least && number <= most)) refuse(name, value, fmt::format("a number, {} to {}", least, most));
        return static_cast<float>(number);
    }
    uint32_t whole(const char* name, uint32_t least, uint32_t most) {
        const Json& value = at(name);
        const auto number = wholeNumber<uint32_t>(value);
        if (!number || *number < least || *number > most) refuse(name, value, fmt::format("a whole number, {} to {}", least, most));
        return *number;
    }
    bool truth(const char* name) {
        const Json& value = at(name);
        if (!value.is_boolean()) refuse(name, value, "true or false");
        return value.get<bool>();
    }
    std::string text(const char* name) {
        const Json& value = at(name);
        if (!value.is_string()) refuse(name, value, "a text");
        return value.get<std::string>();
    }
    void finish() const {
        if (json_.size() != read_) throw InputError("found {} members, expected {}", json_.size(), read_);
    }

private:
    [[noreturn]] static void refuse(const char* name, const Json& value, const std::string& expected) {
        throw InputError("'{}': found {}, expected {}", name, printable(jsonText(value).substr(0, kMostShown)), expected);
    }

    const Json& json_;
    size_t read_ = 0;
};

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

TextTyped typed(Members& m) {
    TextTyped typed{m.text("text")};
    if (typed.text.size() > kMostTypedBytes)
        throw InputError("'text': found {} bytes, expected at most {}", typed.text.size(), kMostTypedBytes);
    if (std::ranges::any_of(typed.text, isControl)) throw InputError("'text': found a control character, expected none");
    return typed;
}

/// Line breaks and tabs may be pasted.
TextPasted pasted(Members& m) {
    TextPasted pasted{m.text("text")};
    if (std::ranges::any_of(pasted.text, [](char c) { return isControl(c) && c != '\n' && c != '\r' && c != '\t'; }))
        throw InputError("'text': found a control character, expected none but line breaks and tabs");
    return pasted;
}

KeyChanged key(Members& m) {
    KeyChanged changed{.key = m.text("key"), .down = m.truth("down")};
    if (imguiNameOf(changed.key).empty())
        throw InputError("'key': found '{}', expected the name of a key", printable(changed.key.substr(0, kMostShown)));
    return changed;
}

PointerMoved moved(Members& m) { return {{m.number("x", kLeastPlace, kMostPlace), m.number("y", kLeastPlace, kMostPlace)}}; }

ButtonChanged button(Members& m) { return {.button = static_cast<int>(m.whole("button", 0, 2)), .down = m.truth("down")}; }

WheelTurned wheel(Members& m) { return {{m.number("x", -kMostTurns, kMostTurns), m.number("y", -kMostTurns, kMostTurns)}}; }

Resized resized(Members& m) {
    return {.size = {m.whole("width", 1, kMostSide), m.whole("height", 1, kMostSide)}, .scale = m.number("scale", kLeastScale, kMostScale)};
}

struct MessageType {
    std::string_view name;
    ClientMessage (*read)(Members&);
};
constexpr MessageType kTypes[] = {
    {"move", [](Members& m) -> ClientMessage { return moved(m); }},
    {"button", [](Members& m) -> ClientMessage { return button(m); }},
    {"wheel", [](Members& m) -> ClientMessage { return wheel(m); }},
    {"key", [](Members& m) -> ClientMessage { return key(m); }},
    {"text", [](Members& m) -> ClientMessage { return typed(m); }},
    {"paste", [](Members& m) -> ClientMessage { return pasted(m); }},
    {"blur", [](Members&) -> ClientMessage { return FocusLost{}; }},
    {"resize", [](Members& m) -> ClientMessage { return resized(m); }},
    {"shown", [](Members& m) -> ClientMessage { return FrameShown{m.whole("frame", 0, ~0U)}; }},
    {"ping", [](Members& m) -> ClientMessage { return Ping{m.whole("number", 0, ~0U)}; }},
    {"control", [](Members&) -> ClientMessage { return ControlWanted{}; }},
};

}  // namespace

ClientMessage parseClientMessage(std::string_view text) {
    if (text.size() > kMostClientMessageBytes)
        throw InputError("found a message of {} bytes, expected at most {}", text.size(), kMostClientMessageBytes);
    const Json json = parseJson(text, "message");
    if (!json.is_object()) throw InputError("found no object, expected one");
    Members members(json);
    const std::string type = members.text("type");
    const auto found = std::ranges::find(kTypes, type, &MessageType::name);
    if (found == std::end(kTypes))
        throw InputError("found a message of type '{}', expected a known one", printable(type.substr(0, kMostShown)));
    ClientMessage message = found->read(members);
    members.finish();
    return message;
}

}  // namespace splat::app
