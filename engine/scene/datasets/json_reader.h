#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <splatwright/core/parse_json.h>

namespace splat {

/// Properties of a frame that may also be given once for all frames at the top level, as nerfstudio and instant-ngp write them.
class JsonProperties {
public:
    /// The prefix starts every message.
    JsonProperties(std::string prefix, const nlohmann::json& own, const nlohmann::json& shared)
        : prefix_(std::move(prefix)), own_(own), shared_(shared) {}

    const std::string& prefix() const { return prefix_; }
    const nlohmann::json* find(const char* property) const;
    std::optional<double> number(const char* property) const;
    std::optional<std::string> text(const char* property) const;
    bool flag(const char* property) const;

private:
    std::string prefix_;
    const nlohmann::json& own_;
    const nlohmann::json& shared_;
};

/// A value's text for messages, cut to a readable length.
std::string excerpt(const nlohmann::json& value);

}  // namespace splat
