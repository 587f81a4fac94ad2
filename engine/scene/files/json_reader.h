#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace splat {

/// Properties of a frame; missing ones are taken from the top level of the file, as nerfstudio and instant-ngp do.
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

}  // namespace splat
