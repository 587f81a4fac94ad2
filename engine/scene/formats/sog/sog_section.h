#pragma once

#include <string>
#include <utility>
#include <vector>

#include <glm/glm.hpp>
#include <nlohmann/json.hpp>

#include <splatwright/scene/clusters/codebook.h>

namespace splat {

/// An object of a SOG's files, whose unknown properties belong to other programs. Members throw InputError with the object, the property, what was
/// found and what was expected.
class SogSection {
public:
    /// The value must outlive this.
    SogSection(std::string where, const nlohmann::json& value);

    bool has(const char* key) const { return value_.contains(key); }
    SogSection section(const char* key) const { return {where_ + ": " + key, get(key)}; }
    const std::string& where() const { return where_; }

    int64_t whole(const char* key, int64_t least, int64_t most) const { return whole(key, get(key), least, most); }
    /// The first of an array's lengths.
    int64_t firstOf(const char* key, int64_t most) const { return whole(key, list(key, 1, SIZE_MAX)[0], 1, most); }
    std::vector<float> numbers(const char* key, size_t count) const;
    glm::vec3 vec3(const char* key) const;
    float number(const char* key) const { return number(key, get(key)); }
    ByteValues codebook() const;
    /// So many names of files below the SOG's own folder, or more.
    std::vector<std::string> files(const char* key, size_t least) const;
    std::string file(const char* key) const { return fileName(key, get(key)); }
    std::string text(const char* key) const { return has(key) && get(key).is_string() ? get(key).get<std::string>() : ""; }
    const nlohmann::json& list(const char* key, size_t least, size_t most) const;

    [[noreturn]] void refuse(const char* key, const nlohmann::json& found, const std::string& expected) const;

private:
    const nlohmann::json& get(const char* key) const;
    int64_t whole(const char* key, const nlohmann::json& value, int64_t least, int64_t most) const;
    float number(const char* key, const nlohmann::json& value) const;
    std::string fileName(const char* key, const nlohmann::json& value) const;

    std::string where_;
    const nlohmann::json& value_;
};

}  // namespace splat
