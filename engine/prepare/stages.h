#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace splat::prepare {

/// Record of the finished stages of a preparation, in a file that is replaced atomically. A stage's key says what it was made from; with another
/// key it has to be done again.
class Stages {
public:
    /// A file that is missing or damaged is an empty record.
    explicit Stages(std::filesystem::path file);

    bool has(const std::string& stage) const { return record_.contains(stage); }
    /// What the stage left, if it is finished with this key.
    std::optional<nlohmann::json> result(const std::string& stage, const std::string& key) const;
    /// The same, as a function reads it; nothing as well if a damaged record has something else there.
    template <class Read>
    auto read(const std::string& stage, const std::string& key, const Read& as) const -> std::optional<decltype(as(nlohmann::json()))> {
        const auto found = result(stage, key);
        if (!found) return std::nullopt;
        try {
            return as(*found);
        } catch (const nlohmann::json::exception&) {
            return std::nullopt;
        }
    }
    /// Throws Error if the file cannot be written.
    void finish(const std::string& stage, const std::string& key, const nlohmann::json& result);
    void forget(const std::string& stage);

private:
    void write() const;

    std::filesystem::path file_;
    nlohmann::json record_ = nlohmann::json::object();
};

}  // namespace splat::prepare
